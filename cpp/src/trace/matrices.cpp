#include "trace/matrices.hpp"

#include "algorithms/instruction_set.hpp"
#include "desc/changed.hpp"
#include "trace/checks.hpp"
#include "trace/gradient_rows.hpp"
#include "trace/nhwc.hpp"
#include "trace/run_by_name.hpp"
#include "transforms/im2col.hpp"
#include "transforms/layout_change.hpp"
#include "transforms/panels.hpp"
#include "transforms/weight_panels.hpp"

namespace conv2d::trace {
namespace {

/// A matrix of one group as its algorithm packs it, in a single panel as wide as the matrix: its depth makes the rows,
/// its lanes the columns.
template <class Matrix>
void write_panel(const Matrix& matrix, const MatrixSize& size, float* out) noexcept {
  matrix.source()({.valid = size.cols, .width = size.cols, .depth = size.rows}, out);
}

/// x_col, w_col or dy_col as the products read them: im2col's rows, and what is packed of w and dy. Out of y and dw,
/// the same makes y_col and dw_col.
Status operand(const Geometry& g, Stage stage, const float* tensor, ColumnOrder order, float* out) {
  const bool windows = stage == Stage::x_col;
  const bool weights = stage == Stage::w_col;
  Nhwc nhwc;
  if (!(weights   ? nhwc.take_weights(g, tensor)
        : windows ? nhwc.take_activation(g, tensor, g.c, g.h * g.w)
                  : nhwc.take_activation(g, tensor, g.k, g.oh * g.ow))) {
    return out_of_memory(to_string(stage));
  }
  const Geometry in_nhwc = in_layout(g, Layout::nhwc);
  const MatrixSize size = matrix_size(g, stage);
  for (std::int64_t group = 0; group < g.groups; ++group, out += size.rows * size.cols) {
    if (windows) {
      im2col(in_nhwc, {.group = group, .count = size.rows, .order = order}, nhwc.data(), out);
    } else if (weights) {
      write_panel(WeightDepth{.g = &in_nhwc, .w = nhwc.data(), .group = group, .order = order}, size, out);
    } else {
      write_panel(DenseDepth{.data = nhwc.data() + group * g.group_k, .row_stride = g.k}, size, out);
    }
  }
  return {};
}

/// y_col or dw_col. The algorithm's product lies in its y or dw, the rows k apart.
Status product(const Geometry& g, Pass pass, std::string_view algorithm, const StageInputs& in, ColumnOrder order,
               float* out) {
  Scratch<float> result;
  if (!result.allocate(g.result_size(pass))) return out_of_memory("out");
  Status status = run_by_name(g, pass, algorithm, {.x = in.x, .w = in.w, .dy = in.dy, .out = result.span()});
  if (!status.ok()) return status;
  const Stage alike = pass == Pass::forward ? Stage::dy_col : Stage::w_col;
  return operand(g, alike, result.span().data(), order, out);
}

/// The algorithm has them in kh_kw_c order only.
Status dx_col(const Geometry& g, const StageInputs& in, ColumnOrder order, float* out) {
  const auto [rows, cols] = matrix_size(g, Stage::dx_col);
  const auto kernels = algorithm::default_kernels();
  if (!kernels.ok()) return kernels.status();
  GradientRows gradients(g, **kernels);
  Scratch<float> by_taps;
  const bool reorders = order == ColumnOrder::c_kh_kw;
  if (!gradients.take(in.dy.data(), in.w.data()) || (reorders && !by_taps.allocate(g.groups * rows * cols))) {
    return out_of_memory("dx_col");
  }
  float* to = reorders ? by_taps.span().data() : out;
  for (std::int64_t group = 0; group < g.groups; ++group) {
    gradients.start(group);
    gradients.write(0, rows, to + group * rows * cols);
  }
  // A row is a small image of kh * kw pixels.
  if (reorders) activation_nhwc_to_nchw(to, g.groups * rows, g.group_c, g.kh * g.kw, out);
  return {};
}

/// Before transposing.
Status compute_upright(const Geometry& g, Stage stage, const StageInputs& in, ColumnOrder order, float* out) {
  switch (stage) {
    case Stage::x_col:
      return operand(g, stage, in.x.data(), order, out);
    case Stage::w_col:
      return operand(g, stage, in.w.data(), order, out);
    case Stage::y_col:
      return product(g, Pass::forward, order == ColumnOrder::kh_kw_c ? "im2col_gemm" : "im2col_gemm_c_kh_kw", in, order,
                     out);
    case Stage::dy_col:
      return operand(g, stage, in.dy.data(), order, out);
    case Stage::dx_col:
      return dx_col(g, in, order, out);
    default:
      return product(g, Pass::backward_weights, "im2col_gemm", in, order, out);
  }
}

}  // namespace

bool is_matrix(Stage stage) noexcept {
  switch (stage) {
    case Stage::x_col:
    case Stage::w_col:
    case Stage::y_col:
    case Stage::dy_col:
    case Stage::dx_col:
    case Stage::dw_col:
      return true;
    default:
      return false;
  }
}

MatrixSize matrix_size(const Geometry& g, Stage stage) noexcept {
  const std::int64_t positions = g.n * g.oh * g.ow;
  const std::int64_t columns = g.kh * g.kw * g.group_c;
  if (stage == Stage::x_col || stage == Stage::dx_col) return {positions, columns};
  if (stage == Stage::y_col || stage == Stage::dy_col) return {positions, g.group_k};
  return {columns, g.group_k};
}

Status compute_matrix(const Geometry& g, Stage stage, const StageInputs& in, const StageOptions& options, float* out) {
  const auto [rows, cols] = matrix_size(g, stage);
  if (rows * cols == 0) return {};  // and there may be no memory
  if (!options.transposed) return compute_upright(g, stage, in, options.order, out);
  Scratch<float> upright;
  if (!upright.allocate(g.groups * rows * cols)) return out_of_memory(to_string(stage));
  Status status = compute_upright(g, stage, in, options.order, upright.span().data());
  // The matrix of a group is an image of `rows` pixels.
  if (status.ok()) activation_nhwc_to_nchw(upright.span().data(), g.groups, cols, rows, out);
  return status;
}

}  // namespace conv2d::trace
