#include "algorithms/algorithm_entry.hpp"
#include "engines/products/products.hpp"
#include "trace/parts.hpp"
#include "transforms/layout_change.hpp"
#include "transforms/panels.hpp"

namespace conv2d::trace {
namespace {

/// Writes x_col, w_col or dy_col with the transforms of the matrix products. Applied to y and dw, it writes y_col
/// and dw_col.
Status operand(const Geometry& g, Stage stage, const float* tensor, ColumnOrder order, float* out) {
  const auto kernels = algorithm::kernels_of();
  if (!kernels.ok()) return kernels.status();
  const bool windows = stage == Stage::x_col;
  const bool weights = stage == Stage::w_col;
  Nhwc nhwc;
  if (!(weights   ? nhwc.set_weights(g, tensor)
        : windows ? nhwc.set_activation(g, tensor, g.c, g.h * g.w)
                  : nhwc.set_activation(g, tensor, g.k, g.oh * g.ow))) {
    return out_of_memory(to_string(stage));
  }
  const Geometry in_nhwc = in_layout(g, Layout::nhwc);
  const MatrixSize size = matrix_size(g, stage);
  for (std::int64_t group = 0; group < g.groups; ++group, out += size.rows * size.cols) {
    if (windows) {
      im2col(in_nhwc, {.group = group, .count = size.rows, .order = order}, nhwc.data(), out);
    } else if (weights) {
      // The matrix is packed as a single panel as wide as the matrix: its rows are the depth, its columns the lanes.
      const engine::StridedMatmul p = engine::x_col_product(in_nhwc, **kernels, order, 0);
      engine::pack_panel(p, nhwc.data() + group * g.group_k, 0, 0, size.cols, out, p.channels * size.cols);
    } else {
      pack_column_lanes(nhwc.data() + group * g.group_k, g.k,
                        {.valid = size.cols, .width = size.cols, .reduction = size.rows}, out);
    }
  }
  return {};
}

/// Writes y_col or dw_col, from y or dw of the algorithm. Their rows are k floats apart.
Status product(const Geometry& g, Pass pass, std::string_view algorithm, const StageInputs& in, ColumnOrder order,
               float* out) {
  Scratch<float> result;
  if (!result.allocate(g.result_size(pass))) return out_of_memory("out");
  Status status = run_by_name(g, pass, algorithm, {.x = in.x, .w = in.w, .dy = in.dy, .out = result.span()});
  if (!status.ok()) return status;
  const Stage same_shape = pass == Pass::forward ? Stage::dy_col : Stage::w_col;
  return operand(g, same_shape, result.span().data(), order, out);
}

/// The matrix without transposition.
Status compute_untransposed(const Geometry& g, Stage stage, const StageInputs& in, ColumnOrder order, float* out) {
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
      return compute_dx_col(g, "dx_col", in.dy.data(), in.w.data(), g.n * g.oh * g.ow, order, out, nullptr);
    default:
      return product(g, Pass::backward_weights, "im2col_gemm", in, order, out);
  }
}

}  // namespace

Status compute_dx_col(const Geometry& g, std::string_view field, const float* dy, const float* w,
                      std::int64_t positions, ColumnOrder order, float* matrix, float* dx) {
  const auto kernels = algorithm::kernels_of();
  if (!kernels.ok()) return kernels.status();
  const Geometry in_nhwc = in_layout(g, Layout::nhwc);
  const std::int64_t columns = engine::columns_of(g);
  ScratchLayout layout;
  const engine::RowBlocks blocks(engine::dx_col_product(in_nhwc, **kernels, engine::positions_of(g)), layout);
  const Offset place = layout.take(CheckedInt(blocks.block()) * columns);
  Nhwc nhwc_dy, hwio;
  Scratch<float> scratch;
  if (!nhwc_dy.set_activation(g, dy, g.k, g.oh * g.ow) || !hwio.set_weights(g, w) || !layout.floats().fits() ||
      !scratch.allocate(layout.floats().value())) {
    return out_of_memory(field);
  }
  float* const memory = scratch.span().data();
  float* const dx_col = place.in(memory);
  for (std::int64_t group = 0; group < g.groups; ++group) {
    const std::int64_t filter = group * g.group_k;
    blocks.begin_group(hwio.data() + filter, memory);
    for (std::int64_t first = 0; first < positions; first += blocks.block()) {
      const std::int64_t count = std::min(blocks.block(), positions - first);
      blocks.multiply({.image = nhwc_dy.data() + first * g.k + filter, .weights = hwio.data() + filter, .out = dx_col},
                      count, memory);
      const std::int64_t at = (group * positions + first) * columns;
      if (!matrix) {
        col2im_add(in_nhwc, {.group = group, .first = first, .count = count}, dx_col, dx);
      } else if (order == ColumnOrder::kh_kw_c) {
        std::copy_n(dx_col, count * columns, matrix + at);
      } else {
        // A row is an image of kh * kw pixels.
        activation_nhwc_to_nchw(dx_col, count, g.group_c, g.kh * g.kw, matrix + at);
      }
    }
  }
  return {};
}

bool is_matrix(Stage stage) noexcept { return stage >= Stage::x_col && stage <= Stage::dw_col; }

MatrixSize matrix_size(const Geometry& g, Stage stage) noexcept {
  const std::int64_t positions = g.n * g.oh * g.ow;
  const std::int64_t columns = g.kh * g.kw * g.group_c;
  if (stage == Stage::x_col || stage == Stage::dx_col) return {positions, columns};
  if (stage == Stage::y_col || stage == Stage::dy_col) return {positions, g.group_k};
  return {columns, g.group_k};
}

Status compute_matrix(const Geometry& g, Stage stage, const StageInputs& in, const StageOptions& options, float* out) {
  const auto [rows, cols] = matrix_size(g, stage);
  if (rows * cols == 0) return {};  // an empty span may have no memory
  if (!options.transposed) return compute_untransposed(g, stage, in, options.order, out);
  Scratch<float> untransposed;
  if (!untransposed.allocate(g.groups * rows * cols)) return out_of_memory(to_string(stage));
  Status status = compute_untransposed(g, stage, in, options.order, untransposed.span().data());
  // The matrix of a group is transposed as an image of `rows` pixels.
  if (status.ok()) activation_nhwc_to_nchw(untransposed.span().data(), g.groups, cols, rows, out);
  return status;
}

}  // namespace conv2d::trace
