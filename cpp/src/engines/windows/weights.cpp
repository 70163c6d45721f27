#include "engines/windows/weights.hpp"

#include <algorithm>

#include "check/check.hpp"
#include "micro_kernels/kernel_set.hpp"
#include "transforms/panels.hpp"

namespace conv2d::engine {
namespace {

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
  const auto valid = static_cast<std::ptrdiff_t>(range.valid), width = static_cast<std::ptrdiff_t>(range.width);
  const auto column = static_cast<std::ptrdiff_t>(valid > 1 ? steps.column : 0);
  for (std::int64_t c = 0; c < range.k; ++c) {
    const float* lane = from;
    for (std::ptrdiff_t j = 0; j < valid; ++j, lane += column) panel[j] = *lane;
    for (std::ptrdiff_t j = valid; j < width; ++j) panel[j] = 0.0F;
    panel += width;
    from += steps.channel;
  }
}

}  // namespace

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
  return p.out_channels >= 1 && p.out_channels <= micro_kernels::kMaxDotColumns && p.channels % p.kernels->lanes == 0;
}

bool prefers_2x4_tiles(const WindowProduct& p) noexcept {
  // Measured in Chromium: 5 to 9 % less time for reductions of 9 to 48, nothing at 64, and 2 to 4 % more at 147 and
  // 256.
  constexpr std::int64_t kShallow = 48;
  const std::int64_t columns = micro_kernels::kTile2x4Vectors * p.kernels->lanes;
  return p.reduction() <= kShallow && p.out_channels > 0 && p.out_channels % columns == 0;
}

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
