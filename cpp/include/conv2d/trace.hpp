#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>

#include "conv2d/conv_desc.hpp"
#include "conv2d/status.hpp"

/// The intermediates of the classical algorithms, by name, and the state of the sequential ones after t steps, so that
/// a picture of a stage or an animation frame shows what a kernel computed.
namespace conv2d {

enum class Stage {
  x_padded,      ///< x with its padding ring, in the layout's order
  x_col,         ///< im2col: [n*oh*ow, kh*kw*c/groups] per group
  w_col,         ///< [kh*kw*c/groups, k/groups] per group
  y_col,         ///< x_col . w_col: [n*oh*ow, k/groups] per group, without bias
  dy_col,        ///< dy as [n*oh*ow, k/groups] per group
  dx_col,        ///< dy_col . w_col^T: [n*oh*ow, kh*kw*c/groups] per group
  dw_col,        ///< x_col^T . dy_col: [kh*kw*c/groups, k/groups] per group
  dy_spread,     ///< dy with stride - 1 zeros between its cells: [(oh-1)*stride_h + 1, (ow-1)*stride_w + 1]
  dy_extended,   ///< dy_spread with remainder_h rows and remainder_w columns of zeros at the bottom and right
  dy_inserted,   ///< dy_extended with dilated_kernel - 1 zeros on every side: the input of the full convolution
  w_exchanged,   ///< w with input channels and filters exchanged within each group, not turned
  w_turned,      ///< w_exchanged turned by 180 degrees: the kernel of the full convolution
  dx_padded,     ///< the whole full convolution: dx and the gradient of its padding ring; cropping the ring gives dx
  dw_uncropped,  ///< x convolved with the dilated dy at all its stops; the first kh x kw are dw, the others exist only
                 ///< where the stride leaves a remainder: [kh + remainder_h / dilation_h, kw + ...]
  dw_per_image,  ///< dw_uncropped of each image by itself, from the grouped convolution before its sum over the batch:
                 ///< weights of n * k filters, of which n * k + f is filter f of image n
};

std::string_view to_string(Stage stage) noexcept;

/// Order of the columns of x_col (and of the rows of w_col and dw_col).
enum class ColumnOrder {
  kh_kw_c,  ///< channel fastest: natural for NHWC
  c_kh_kw,  ///< tap fastest: natural for NCHW, PyTorch's unfold
};

struct StageOptions {
  ColumnOrder order = ColumnOrder::kh_kw_c;
  bool transposed = false;  ///< matrices only: columns become rows
};

/// Shape of a stage. Matrices are [groups, rows, cols, 1]. x_padded and dx_padded are in the layout's order of x, the
/// stages of dy in that of y, dw_uncropped and dw_per_image in that of w; w_exchanged and w_turned are [kh, kw,
/// k/groups, c] (NHWC) or [c, k/groups, kh, kw] (NCHW). Error overflow.
Result<std::array<std::int64_t, 4>> stage_shape(const Geometry& g, Stage stage, const StageOptions& options = {});

/// Tensors that a stage may read; those that it does not need may be empty.
struct StageInputs {
  std::span<const float> x, w, dy;
};

/// Writes the stage into `out`, which holds exactly the product of its shape. The matrices are what the algorithms
/// im2col_gemm (for the columns' order im2col_gemm_c_kh_kw) and col2im make of these tensors, bit for bit: y_col and
/// dw_col are their y and dw. Errors: length_mismatch, out_of_memory (it takes scratch memory of its own).
Status compute_stage(const Geometry& g, Stage stage, const StageInputs& in, std::span<float> out,
                     const StageOptions& options = {});

/// The sequential processes that can be stopped after t steps. One step is one output position (n, i, j), all filters,
/// where nothing else is said. The result starts from 0; what no step has reached yet is exactly 0.
enum class Process {
  forward,                ///< y: positions done so far
  dx_scatter,             ///< dx: w * dy[i,j] stamped and accumulated for the positions done so far
  dx_col2im,              ///< dx: rows of dx_col added back so far
  dx_gather,              ///< dx: one step is one cell (n, h, w) of x, all channels
  dx_full_conv,           ///< dx: one step is one cell (n, h, w) of x, where w_turned lies on dy_inserted
  dx_full_conv_unturned,  ///< NOT the gradient: dx_full_conv with w_exchanged, the mistake of forgetting the turn
  dw_accumulate,          ///< dw: sum over the positions done so far
  dw_dilated_dy,          ///< dw_uncropped: one step is one stop (u, v) of the dilated dy on x_padded
  db_accumulate,          ///< db: sum over the positions done so far
};

std::string_view to_string(Process process) noexcept;

/// Steps of the whole process; -1 when they are too many to count.
std::int64_t process_steps(const Geometry& g, Process process) noexcept;

/// Shape of a process's result: that of y, dx, dw, [1, 1, 1, k] for db, and dw_uncropped's for dw_dilated_dy. Error
/// overflow.
Result<std::array<std::int64_t, 4>> process_shape(const Geometry& g, Process process);

/// Floats of scratch that compute_partial needs: 0 but for the full convolutions (dy_inserted and w_turned). -1 on
/// overflow.
std::int64_t process_workspace_floats(const Geometry& g, Process process) noexcept;

/// Tensors that a process may read; those that it does not need may be empty. Without b there is no bias.
struct PartialInputs {
  std::span<const float> x, w, b, dy;
};

/// The result of `process` after its first `steps` steps (0 .. process_steps), by the same loops as the whole one.
/// Errors: length_mismatch, invalid_argument (field "steps"), overflow, out_of_memory.
Status compute_partial(const Geometry& g, Process process, std::int64_t steps, const PartialInputs& in,
                       std::span<float> out, std::span<float> workspace = {});

/// How col2im treats several contributions to one cell; only `sum` is the gradient.
enum class FoldMode { sum, average, overwrite };

/// col2im of an arbitrary dx_col (kh_kw_c order, not transposed). Errors: length_mismatch, out_of_memory.
Status fold(const Geometry& g, std::span<const float> dx_col, FoldMode mode, std::span<float> dx) noexcept;

/// fold of the first `positions` rows (0 .. n*oh*ow) only: a frame of the way back. `average` divides by the number of
/// contributions so far. Errors: length_mismatch, invalid_argument (field "positions"), out_of_memory.
Status fold_partial(const Geometry& g, std::span<const float> dx_col, FoldMode mode, std::int64_t positions,
                    std::span<float> dx) noexcept;

/// How often each cell of x is read (one channel): [h, w] counts of (tap, output position) pairs.
Status coverage(const Geometry& g, std::span<float> counts) noexcept;

/// One axis of a phase of the phase split (see Phase). Cell m of the phase is the cell first_cell + m * stride of x,
/// tap t is the tap first_tap + t * tap_step of w, and the two meet at the output first_output + m - t * output_step,
/// when there is one.
struct PhaseAxis {
  std::int64_t first_cell = 0, cells = 0;
  std::int64_t first_tap = 0, tap_step = 1, taps = 0;  ///< no taps: the gradient of these cells is exactly 0
  std::int64_t first_output = 0, output_step = 1;      ///< output_step is the dilation of the sub-convolution
};

/// One of the interleaved grids that a stride splits dx into. It is a dense convolution (stride 1) of dy with its own
/// taps of w only, the sub-kernel; no tap belongs to two phases.
struct Phase {
  PhaseAxis rows, cols;
};

/// Phases that have cells: min(stride_h, h) * min(stride_w, w).
std::int64_t phase_count(const Geometry& g) noexcept;

/// The phase whose first cell of x is (index / min(stride_w, w), index % min(stride_w, w)).
/// Precondition: 0 <= index < phase_count(g).
Phase phase_at(const Geometry& g, std::int64_t index) noexcept;

}  // namespace conv2d
