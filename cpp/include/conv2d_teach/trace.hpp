#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>

#include "conv2d/config.hpp"
#include "conv2d/conv_desc.hpp"
#include "conv2d/lowering.hpp"
#include "conv2d/status.hpp"

/// Intermediate tensors of the classical algorithms, and partial results of the sequential ones after t steps, for
/// visualization and debugging. They are computed by the loops, transforms and products of the algorithms themselves.
namespace conv2d {

/// An intermediate tensor. "Per group" matrices are stored one group after the other.
enum class Stage {
  x_padded,      ///< x with its zero padding, in the layout's order
  x_col,         ///< im2col: [n*oh*ow, kh*kw*c/groups] per group
  w_col,         ///< [kh*kw*c/groups, k/groups] per group
  y_col,         ///< x_col . w_col: [n*oh*ow, k/groups] per group, without bias
  dy_col,        ///< dy as [n*oh*ow, k/groups] per group
  dx_col,        ///< dy_col . w_col^T: [n*oh*ow, kh*kw*c/groups] per group
  dw_col,        ///< x_col^T . dy_col: [kh*kw*c/groups, k/groups] per group
  dy_upsampled,  ///< dy with stride - 1 zeros between its elements: [(oh-1)*stride_h + 1, (ow-1)*stride_w + 1]
  dy_extended,   ///< dy_upsampled plus remainder_h rows and remainder_w columns of zeros at the bottom and right
  dy_inserted,   ///< dy_extended plus dilated kernel - 1 zeros on every side: the input of the full convolution
  w_exchanged,   ///< w with input channels and filters exchanged within each group, not flipped
  w_flipped,     ///< w_exchanged flipped by 180 degrees: the kernel of the full convolution
  dx_padded,     ///< result of the full convolution: the gradient of x_padded; cropping the padding gives dx
  dw_uncropped,  ///< x_padded convolved with the dilated dy at all positions: [kh + remainder_h / dilation_h, kw +
                 ///< ...]. The first kh x kw are dw; there are more only if the stride leaves a remainder
  dw_per_image,  ///< dw_uncropped of each image, before the sum over the batch: weights of n * k filters, where
                 ///< filter image * k + f is filter f of that image
};

CONV2D_API std::string_view to_string(Stage stage) noexcept;

struct StageOptions {
  ColumnOrder order = ColumnOrder::kh_kw_c;
  bool transposed = false;  ///< transpose; matrices only
};

/// Shape of a stage. Matrices are [groups, rows, columns, 1]. x_padded and dx_padded have the layout's order of x, the
/// dy_* stages that of y, dw_uncropped and dw_per_image that of w. w_exchanged and w_flipped are [kh, kw, k/groups, c]
/// (NHWC) or [c, k/groups, kh, kw] (NCHW). Errors: overflow; invalid_argument (field "stage" or "order": no
/// enumerator).
CONV2D_API Result<std::array<std::int64_t, 4>> stage_shape(const Geometry& g, Stage stage,
                                                           const StageOptions& options = {});

/// Inputs of a stage. Tensors that the stage does not read may be empty.
struct StageInputs {
  std::span<const float> x, w, dy;
};

/// Writes a stage to `out`. The length of `out` must be the product of stage_shape(). Matrices are bitwise those of the
/// algorithms im2col_gemm (or im2col_gemm_c_kh_kw, by column order) and col2im; y_col and dw_col are their y and dw.
/// Allocates scratch memory. Errors: those of stage_shape, length_mismatch, out_of_memory.
CONV2D_API Status compute_stage(const Geometry& g, Stage stage, const StageInputs& in, std::span<float> out,
                                const StageOptions& options = {});

/// A sequential algorithm that can be stopped after t steps. Unless noted otherwise, a step is one output position
/// (n, i, j) with all filters. Results start at 0; elements that no step has written are exactly 0.
enum class Process {
  forward,                 ///< y: written for the first t positions
  dx_scatter,              ///< dx: sum of w * dy over the first t positions, each added to the window that it read
  dx_col2im,               ///< dx: the first t rows of dx_col, added back
  dx_gather,               ///< dx: a step is one pixel (n, h, w) of x with all channels
  dx_full_conv,            ///< dx: a step is one pixel (n, h, w) of x, the position of w_flipped on dy_inserted
  dx_full_conv_unflipped,  ///< NOT the gradient: dx_full_conv with w_exchanged, the mistake of not flipping w
  dw_accumulate,           ///< dw: sum over the first t positions
  dw_dilated_dy,           ///< dw_uncropped: a step is one position (u, v) of the dilated dy on x_padded
  db_accumulate,           ///< db: sum over the first t positions
};

CONV2D_API std::string_view to_string(Process process) noexcept;

/// Number of steps of the complete process; -1 on overflow, and if the process does not exist.
CONV2D_API std::int64_t process_steps(const Geometry& g, Process process) noexcept;

/// Shape of the result: that of y, dx or dw; [1, 1, 1, k] for db; that of dw_uncropped for dw_dilated_dy. Errors:
/// overflow; invalid_argument (field "process": no enumerator).
CONV2D_API Result<std::array<std::int64_t, 4>> process_shape(const Geometry& g, Process process);

/// Floats of workspace that compute_partial needs: dy_inserted and w_flipped for the full convolutions, otherwise 0. -1
/// on overflow, and if the process does not exist.
CONV2D_API std::int64_t process_workspace_floats(const Geometry& g, Process process) noexcept;

/// Inputs of a process. Tensors that the process does not read may be empty; an empty b means no bias.
struct PartialInputs {
  std::span<const float> x, w, b, dy;
};

/// Writes the result of `process` after `steps` steps, from 0 to process_steps() inclusive, with the same loops as the
/// complete process. Errors: those of process_shape, length_mismatch, invalid_argument (field "steps"), out_of_memory.
CONV2D_API Status compute_partial(const Geometry& g, Process process, std::int64_t steps, const PartialInputs& in,
                                  std::span<float> out, std::span<float> workspace = {});

/// How col2im combines several contributions to one element. Only `sum` gives the gradient.
enum class FoldMode { sum, average, overwrite };

/// col2im of the first `positions` rows (0 to n*oh*ow inclusive) of any dx_col in kh_kw_c order, not transposed.
/// FoldMode::average divides by the number of contributions from these rows. Errors: length_mismatch, invalid_argument
/// (field "positions", or "mode": no enumerator), out_of_memory.
CONV2D_API Status fold_partial(const Geometry& g, std::span<const float> dx_col, FoldMode mode, std::int64_t positions,
                               std::span<float> dx) noexcept;

/// Writes [h, w] counts: how many (tap, output position) pairs read each pixel of one channel of x. Error:
/// length_mismatch.
CONV2D_API Status coverage(const Geometry& g, std::span<float> counts) noexcept;

/// Number of phases with at least one element: min(stride_h, h) * min(stride_w, w).
CONV2D_API std::int64_t phase_count(const Geometry& g) noexcept;

/// The phase with the first element (index / min(stride_w, w), index % min(stride_w, w)) of x.
/// Precondition: 0 <= index < phase_count(g).
CONV2D_API Phase phase_at(const Geometry& g, std::int64_t index) noexcept;

}  // namespace conv2d
