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
  x_padded,        ///< x with its padding ring, in the layout's order
  x_col,           ///< im2col: [n*oh*ow, kh*kw*c/groups] per group
  w_col,           ///< [kh*kw*c/groups, k/groups] per group
  y_col,           ///< x_col . w_col: [n*oh*ow, k/groups] per group, without bias
  dy_col,          ///< dy as [n*oh*ow, k/groups] per group
  dx_col,          ///< dy_col . w_col^T: [n*oh*ow, kh*kw*c/groups] per group
  dw_col,          ///< x_col^T . dy_col: [kh*kw*c/groups, k/groups] per group
  dy_inserted,     ///< dy with stride-1 zeros between cells, the remainder appended, padded for the full convolution
  w_turned,        ///< w turned by 180 degrees, input channels and filters exchanged within each group
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

/// Shape of a stage. Matrices are [groups, rows, cols, 1]; dy_inserted is in the layout's order of y, w_turned in its
/// order of w with c/groups and k/groups exchanged. Error overflow.
Result<std::array<std::int64_t, 4>> stage_shape(const Geometry& g, Stage stage, const StageOptions& options = {});

/// Tensors that a stage may read; those that it does not need may be empty.
struct StageInputs {
  std::span<const float> x, w, dy;
};

/// Writes the stage into `out`, which holds exactly the product of its shape. Error length_mismatch.
Status compute_stage(const Geometry& g, Stage stage, const StageInputs& in, std::span<float> out,
                     const StageOptions& options = {}) noexcept;

/// The sequential processes that can be stopped after t steps; one step is one output position (n, i, j), all filters.
enum class Process {
  forward,           ///< y: positions done so far, the rest exactly 0
  dx_scatter,        ///< dx: w * dy[i,j] stamped and accumulated for the positions done so far
  dx_col2im,         ///< dx: rows of dx_col added back so far
  dx_gather,         ///< dx: one step is one cell (n, h, w) of x, all channels
  dw_accumulate,     ///< dw: sum over the positions done so far
  db_accumulate,     ///< db: sum over the positions done so far
};

std::int64_t process_steps(const Geometry& g, Process process) noexcept;

struct PartialInputs {
  std::span<const float> x, w, b, dy;
};

/// The result of `process` after its first `steps` steps (0 .. process_steps), by the same loops as the whole one.
/// Errors: length_mismatch, invalid_argument (field "steps").
Status compute_partial(const Geometry& g, Process process, std::int64_t steps, const PartialInputs& in,
                       std::span<float> out) noexcept;

/// How col2im treats several contributions to one cell; only `sum` is the gradient.
enum class FoldMode { sum, average, overwrite };

/// col2im of an arbitrary dx_col (kh_kw_c order, not transposed). Error length_mismatch.
Status fold(const Geometry& g, std::span<const float> dx_col, FoldMode mode, std::span<float> dx) noexcept;

/// How often each cell of x is read (one channel): [h, w] counts of (tap, output position) pairs.
Status coverage(const Geometry& g, std::span<float> counts) noexcept;

}  // namespace conv2d
