#include "engines/windows/cost.hpp"

#include <algorithm>

#include "cost/constants.hpp"
#include "engines/windows/blocks.hpp"
#include "engines/windows/weights.hpp"

namespace conv2d::engine {

double window_cost(const WindowProduct& p) noexcept {
  const micro_kernels::KernelSet& k = *p.kernels;
  const BlockShape shape = BlockShape::of(p);
  const auto windows = static_cast<double>(p.n) * static_cast<double>(p.rows.windows * p.cols.windows);
  const bool clipped = shape.access == InputAccess::clipped;
  const double reduction =
      static_cast<double>(p.reduction()) * (clipped ? fraction_inside(p.rows) * fraction_inside(p.cols) : 1.0);
  const cost::Windows& c = k.costs->windows;
  const bool joined = p.groups == 1 && p.cols.dilation == 1;
  const auto spans = static_cast<double>(p.rows.taps * (joined ? 1 : p.cols.taps));
  const double per_tile = c.tile + c.tile_span * spans;
  const auto tile = [&](double cycles, int rows) { return cycles + per_tile / static_cast<double>(rows); };
  double per_window =
      shape.access == InputAccess::padded ? c.padded_channel * static_cast<double>(p.channels) : c.window;
  if (prefers_dot_tiles(p)) {
    const double lanes = k.lanes;
    per_window +=
        tile(c.dot_register * static_cast<double>(p.out_channels) * reduction / lanes, k.dot_rows[p.out_channels - 1]);
  } else if (const Panels panels = Panels::of(p); panels.each != 2) {
    per_window +=
        static_cast<double>(panels.count) * (c.tile_2x4_step * reduction + c.tile_2x4_window + c.tile_2x4_span * spans);
  } else {
    const std::int64_t last = panels.vectors_of(panels.count - 1);
    per_window += static_cast<double>(panels.count - 1) * tile(c.full_step * reduction, k.window_rows[1]);
    per_window +=
        tile(std::max(c.last_min, c.last_register * static_cast<double>(last)) * reduction, k.window_rows[last - 1]);
  }
  return static_cast<double>(p.groups) * windows * per_window;
}

double window_packing_cost(const WindowProduct& p) noexcept {
  return p.kernels->costs->windows.packed_weight * static_cast<double>(p.groups * p.reduction() * p.out_channels);
}

}  // namespace conv2d::engine
