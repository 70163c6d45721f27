#include "engines/windows/passes.hpp"

#include "check/check.hpp"
#include "desc/phases.hpp"
#include "engines/chunks.hpp"
#include "transforms/strided_view.hpp"

namespace conv2d::engine {
namespace {

/// Whether x and y are in NHWC order. One channel and one filter are in the same order in both layouts.
[[maybe_unused]] bool has_nhwc_order(const Geometry& g) noexcept {
  return g.layout == Layout::nhwc || (g.c == 1 && g.k == 1);
}

StridedView<const float> weight_strides(const Geometry& g) noexcept {
  return w_view(static_cast<const float*>(nullptr), g);
}

WindowAxis phase_windows(const PhaseAxis& axis, std::int64_t outputs) noexcept {
  // Cell m meets the outputs first_output + m - t * output_step. Its window begins at the last of them.
  return {.windows = axis.cells,
          .first = axis.taps > 0 ? axis.first_output - (axis.taps - 1) * axis.output_step : 0,
          .step = 1,
          .taps = axis.taps,
          .dilation = axis.output_step,
          .size = outputs};
}

}  // namespace

WindowProduct forward_product(const Geometry& g, const KernelSet& kernels) noexcept {
  CONV2D_DCHECK(has_nhwc_order(g));
  const auto w = weight_strides(g);
  return {.kernels = &kernels,
          .n = g.n,
          .rows = {g.oh, -g.padding.top, g.stride_h, g.kh, g.dilation_h, g.h},
          .cols = {g.ow, -g.padding.left, g.stride_w, g.kw, g.dilation_w, g.w},
          .groups = g.groups,
          .channels = g.group_c,
          .out_channels = g.group_k,
          .weights = {.row = w.stride_0,
                      .col = w.stride_1,
                      .channel = w.stride_2,
                      .column = w.stride_3,
                      .group = w.stride_3 * g.group_k},
          .out_image = g.oh * g.ow * g.k,
          .out_row = g.ow * g.k,
          .out_col = g.k};
}

WindowProduct phase_product(const Geometry& g, const KernelSet& kernels, std::int64_t first_row,
                            std::int64_t first_col) noexcept {
  CONV2D_DCHECK(has_nhwc_order(g));
  // An x without cells has no phases; its first phase is empty.
  CONV2D_DCHECK(first_row == 0 || (first_row > 0 && first_row < row_phases(g)));
  CONV2D_DCHECK(first_col == 0 || (first_col > 0 && first_col < column_phases(g)));
  const PhaseAxis rows = row_phase(g, first_row);
  const PhaseAxis cols = column_phase(g, first_col);
  const auto w = weight_strides(g);
  WindowProduct p{.kernels = &kernels,
                  .n = g.n,
                  .rows = phase_windows(rows, g.oh),
                  .cols = phase_windows(cols, g.ow),
                  .groups = g.groups,
                  .channels = g.group_k,
                  .out_channels = g.group_c,
                  .weights = {.channel = w.stride_3, .column = w.stride_2, .group = w.stride_3 * g.group_k},
                  .out_offset = (first_row * g.w + first_col) * g.c,
                  .out_image = g.h * g.w * g.c,
                  .out_row = stride_of(rows.cells, g.stride_h, g.w * g.c),
                  .out_col = stride_of(cols.cells, g.stride_w, g.c)};
  if (p.taps() == 0) {
    p.rows.taps = p.cols.taps = 0;
  } else {
    p.weights.row = -stride_of(rows.taps, rows.tap_step, w.stride_0);
    p.weights.col = -stride_of(cols.taps, cols.tap_step, w.stride_1);
    p.weights.first = (rows.first_tap + (rows.taps - 1) * rows.tap_step) * w.stride_0 +
                      (cols.first_tap + (cols.taps - 1) * cols.tap_step) * w.stride_1;
  }
  return p;
}

std::vector<WindowProduct> forward_products(const Geometry& g, const KernelSet& kernels) {
  return std::vector<WindowProduct>(1, forward_product(g, kernels));
}

std::vector<WindowProduct> backward_data_products(const Geometry& g, const KernelSet& kernels) {
  std::vector<WindowProduct> all(static_cast<std::size_t>(row_phases(g) * column_phases(g)));
  auto next = all.begin();
  for (std::int64_t row = 0; row < row_phases(g); ++row) {
    for (std::int64_t col = 0; col < column_phases(g); ++col) *next++ = phase_product(g, kernels, row, col);
  }
  return all;
}

}  // namespace conv2d::engine
