#include "engines/windows/product.hpp"

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

const float* tap_of(const WindowProduct& p, const float* w, std::int64_t group, std::int64_t column,
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
  for (std::int64_t c = 0; c < range.k; ++c) {
    const float* lane = from;
    for (std::ptrdiff_t j = 0; j < valid; ++j, lane += column) panel[j] = *lane;
    for (std::ptrdiff_t j = valid; j < width; ++j) panel[j] = 0.0F;
    panel += width;
    from += steps.channel;
  }
}

/// Packs a group for dot tiles: a register of each column in turn, in (p, q, c) order.
void pack_dots(const WindowProduct& p, const float* w, std::int64_t group, float* packed) noexcept {
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

/// Whether the product uses 2x4 tiles: with a short reduction, a taller tile takes long to begin and end.
bool prefers_2x4_tiles(const WindowProduct& p) noexcept {
  // Measured in Chromium: 5 to 9 % less time for reductions of 9 to 48, nothing at 64, and 2 to 4 % more at 147 and
  // 256.
  constexpr std::int64_t kShallow = 48;
  const std::int64_t columns = micro_kernels::kTile2x4Vectors * p.kernels->lanes;
  return p.reduction() <= kShallow && p.out_channels > 0 && p.out_channels % columns == 0;
}

}  // namespace

WindowProduct forward_product(const Geometry& g, const KernelSet& kernels) noexcept {
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
  const auto w = w_view<const float>(nullptr, g);
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

WindowProduct only_product(const Geometry& g, const KernelSet& kernels, Pass pass) noexcept {
  return pass == Pass::forward ? forward_product(g, kernels) : phase_product(g, kernels, 0, 0);
}

std::vector<WindowProduct> products_of(const Geometry& g, const KernelSet& kernels, Pass pass) {
  if (pass == Pass::forward) return std::vector<WindowProduct>(1, forward_product(g, kernels));
  std::vector<WindowProduct> all(static_cast<std::size_t>(row_phases(g) * column_phases(g)));
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
      count(std::max<std::int64_t>(1, vectors / each)) {}

Panels Panels::of(const WindowProduct& p) noexcept {
  return Panels(*p.kernels, p.out_channels, prefers_2x4_tiles(p) ? micro_kernels::kTile2x4Vectors : 2);
}

void pack_panel(const WindowProduct& p, const float* w, std::int64_t group, std::int64_t first, std::int64_t width,
                float* panel, std::int64_t tap_step) noexcept {
  CONV2D_DCHECK((w && panel) || p.taps() == 0);
  CONV2D_DCHECK(group >= 0 && group < p.groups && width >= 1 && first >= 0 && first < p.out_channels);
  const PanelRange range{.valid = std::min(width, p.out_channels - first), .width = width, .k = p.channels};
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

bool prefers_dot_tiles(const WindowProduct& p) noexcept {
  return p.start == SumStart::bias_of_columns && p.out_channels >= 1 &&
         p.out_channels <= micro_kernels::kMaxDotColumns && p.channels % p.kernels->lanes == 0;
}

std::int64_t packed_before(const WindowProduct& p, std::int64_t group, std::int64_t column) noexcept {
  if (prefers_dot_tiles(p)) return p.reduction() * p.out_channels * group;
  const Panels panels = Panels::of(p);
  return p.reduction() * (group * panels.vectors * panels.lanes + column);
}

void pack_weights_at(const WindowProduct& p, const float* w, std::int64_t group, std::int64_t panel,
                     float* to) noexcept {
  if (prefers_dot_tiles(p)) return pack_dots(p, w, group, to);
  const Panels panels = Panels::of(p);
  const std::int64_t width = panels.vectors_of(panel) * panels.lanes;
  pack_panel(p, w, group, panels.first_column(panel), width, to, p.channels * width);
}

CheckedInt packed_weights_floats(const WindowProduct& p) noexcept {
  const CheckedInt reduction = CheckedInt(p.rows.taps) * p.cols.taps * p.channels;
  const Panels panels = Panels::of(p);
  return reduction * p.groups *
         (prefers_dot_tiles(p) ? CheckedInt(p.out_channels) : CheckedInt(panels.vectors) * panels.lanes);
}

void pack_weights(const WindowProduct& p, const float* w, float* packed) noexcept {
  const Panels panels = Panels::of(p);
  const std::int64_t count = prefers_dot_tiles(p) ? 1 : panels.count;
  for (std::int64_t group = 0; group < p.groups; ++group) {
    for (std::int64_t panel = 0; panel < count; ++panel) {
      pack_weights_at(p, w, group, panel,
                      packed + p.packed_offset + packed_before(p, group, panels.first_column(panel)));
    }
  }
}

}  // namespace conv2d::engine
