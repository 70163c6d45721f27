#include "engines/windows/strided_matmul.hpp"

#include <algorithm>

#include "base/strided_view.hpp"
#include "dcheck/dcheck.hpp"
#include "desc/windows.hpp"
#include "engines/loops.hpp"
#include "transforms/panels.hpp"

namespace conv2d::engine {
namespace {

/// Whether x and y are in NHWC order. One channel and one filter are in the same order in both layouts.
[[maybe_unused]] bool has_nhwc_order(const Geometry& g) noexcept {
  return g.layout == Layout::nhwc || (g.c == 1 && g.k == 1);
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

constexpr std::int64_t kFewChannels = 4;  // the height of a transposed block

const float* tap_of(const StridedMatmul& p, const float* w, std::int64_t group, std::int64_t column,
                    std::int64_t tap) noexcept {
  const WeightSteps& steps = p.weights;
  return w + steps.first + tap / p.cols.taps * steps.row + tap % p.cols.taps * steps.col + column * steps.column +
         group * steps.group;
}

/// Packs the weights of one tap, one filter (lane) at a time, with any steps. With few channels per tap, the setup of
/// the general panel packer would take longer than the copying.
void gather_tap(const float* from, const WeightSteps& steps, const PanelRange& range, float* panel) noexcept {
  const auto valid = offset(range.valid), width = offset(range.width);
  const auto column = offset(valid > 1 ? steps.column : 0);
  for (std::int64_t c = 0; c < range.reduction; ++c) {
    const float* lane = from;
    for (std::ptrdiff_t j = 0; j < valid; ++j, lane += column) panel[j] = *lane;
    for (std::ptrdiff_t j = valid; j < width; ++j) panel[j] = 0.0F;
    panel += width;
    from += steps.channel;
  }
}

/// Packs a group for dot tiles: a register of each column in turn, in (p, q, c) order.
void pack_dots(const StridedMatmul& p, const float* w, std::int64_t group, float* packed) noexcept {
  const std::int64_t lanes = p.kernels->lanes;
  for (std::int64_t tap = 0; tap < p.taps(); ++tap) {
    const float* from = tap_of(p, w, group, 0, tap);
    for (std::int64_t first = 0; first < p.channels; first += lanes) {
      for (std::int64_t j = 0; j < p.out_channels; ++j) {
        for (std::int64_t c = first; c < first + lanes; ++c) {
          *packed++ = from[c * p.weights.channel + j * p.weights.column];
        }
      }
    }
  }
}

bool prefers_dot_tiles(const StridedMatmul& p) noexcept {
  return p.initial_sums == InitialSums::bias_of_columns && p.out_channels >= 1 &&
         p.out_channels <= micro_kernels::kMaxDotColumns && p.channels % p.kernels->lanes == 0;
}

/// Whether the product uses 2x4 tiles: with a short reduction, a taller tile takes long to begin and end.
bool prefers_2x4_tiles(const StridedMatmul& p) noexcept {
  // Measured in Chromium: 5 to 9 % less time for reductions of 9 to 48, nothing at 64, and 2 to 4 % more at 147 and
  // 256.
  constexpr std::int64_t kShallow = 48;
  const std::int64_t columns = micro_kernels::kTile2x4Vectors * p.kernels->lanes;
  return p.reduction() <= kShallow && p.out_channels > 0 && p.out_channels % columns == 0;
}

}  // namespace

StridedMatmul forward_product(const Geometry& g, const KernelSet& kernels) noexcept {
  CONV2D_DCHECK(has_nhwc_order(g));
  const auto w = w_view<const float>(nullptr, g);
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
          .out = {.image = g.oh * g.ow * g.k, .row = g.ow * g.k, .col = g.k}};
}

StridedMatmul phase_product(const Geometry& g, const KernelSet& kernels, std::int64_t first_row,
                            std::int64_t first_col) noexcept {
  CONV2D_DCHECK(has_nhwc_order(g));
  // An x without cells has no phases; its first phase is empty.
  CONV2D_DCHECK(first_row == 0 || (first_row > 0 && first_row < row_phases(g)));
  CONV2D_DCHECK(first_col == 0 || (first_col > 0 && first_col < column_phases(g)));
  const PhaseAxis rows = row_phase(g, first_row);
  const PhaseAxis cols = column_phase(g, first_col);
  const auto w = w_view<const float>(nullptr, g);
  StridedMatmul p{.kernels = &kernels,
                  .n = g.n,
                  .rows = phase_windows(rows, g.oh),
                  .cols = phase_windows(cols, g.ow),
                  .groups = g.groups,
                  .channels = g.group_k,
                  .out_channels = g.group_c,
                  .weights = {.channel = w.stride_3, .column = w.stride_2, .group = w.stride_3 * g.group_k},
                  .out = {.first = (first_row * g.w + first_col) * g.c,
                          .image = g.h * g.w * g.c,
                          .row = stride_of(rows.cells, g.stride_h, g.w * g.c),
                          .col = stride_of(cols.cells, g.stride_w, g.c)}};
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

StridedMatmul only_product(const Geometry& g, const KernelSet& kernels, Pass pass) noexcept {
  return pass == Pass::forward ? forward_product(g, kernels) : phase_product(g, kernels, 0, 0);
}

std::vector<StridedMatmul> products_of(const Geometry& g, const KernelSet& kernels, Pass pass) {
  if (pass == Pass::forward) return std::vector<StridedMatmul>(1, forward_product(g, kernels));
  std::vector<StridedMatmul> all(static_cast<std::size_t>(row_phases(g) * column_phases(g)));
  auto next = all.begin();
  for (std::int64_t row = 0; row < row_phases(g); ++row) {
    for (std::int64_t col = 0; col < column_phases(g); ++col) *next++ = phase_product(g, kernels, row, col);
  }
  return all;
}

Panels::Panels(const micro_kernels::KernelSet& kernels, std::int64_t columns, std::int64_t registers) noexcept
    : lanes(kernels.lanes),
      vectors(ceil_div(columns, lanes)),
      each(registers),
      count(std::max<std::int64_t>(1, vectors / each)),
      packed_columns(vectors * lanes) {}

Panels Panels::of(const StridedMatmul& p) noexcept {
  Panels panels(*p.kernels, p.out_channels, prefers_2x4_tiles(p) ? micro_kernels::kTile2x4Vectors : 2);
  panels.dots = prefers_dot_tiles(p);
  if (panels.dots) panels.packed_columns = p.out_channels;
  return panels;
}

void pack_panel(const StridedMatmul& p, const float* w, std::int64_t group, std::int64_t first, std::int64_t width,
                float* panel, std::int64_t tap_step) noexcept {
  CONV2D_DCHECK((w && panel) || p.taps() == 0);
  CONV2D_DCHECK(group >= 0 && group < p.groups && width >= 1 && first >= 0 && first < p.out_channels);
  const PanelRange range{.valid = std::min(width, p.out_channels - first), .width = width, .reduction = p.channels};
  for (std::int64_t tap = 0; tap < p.taps(); ++tap) {
    const float* from = tap_of(p, w, group, first, tap);
    if (p.channels < kFewChannels || (p.weights.column != 1 && p.weights.channel != 1)) {
      gather_tap(from, p.weights, range, panel);
    } else if (p.weights.column == 1) {
      pack_column_lanes(from, p.weights.channel, range, panel);
    } else {
      pack_row_lanes(from, p.weights.column, range, panel);
    }
    panel += tap_step;
  }
}

std::int64_t packed_before(const StridedMatmul& p, const Panels& panels, std::int64_t group,
                           std::int64_t panel) noexcept {
  return p.reduction() * (group * panels.packed_columns + panels.first_column(panel));
}

void pack_weights_at(const StridedMatmul& p, const Panels& panels, const float* w, std::int64_t group,
                     std::int64_t panel, float* to) noexcept {
  if (panels.dots) return pack_dots(p, w, group, to);
  const std::int64_t width = panels.vectors_of(panel) * panels.lanes;
  pack_panel(p, w, group, panels.first_column(panel), width, to, p.channels * width);
}

CheckedInt packed_weights_floats(const StridedMatmul& p) noexcept {
  return CheckedInt(p.rows.taps) * p.cols.taps * p.channels * p.groups * Panels::of(p).packed_columns;
}

void pack_weights(const StridedMatmul& p, const float* w, float* packed) noexcept {
  const Panels panels = Panels::of(p);
  for (std::int64_t group = 0; group < p.groups; ++group) {
    for (std::int64_t panel = 0; panel < panels.count; ++panel) {
      pack_weights_at(p, panels, w, group, panel, packed + p.packed_offset + packed_before(p, panels, group, panel));
    }
  }
}

}  // namespace conv2d::engine
