#include "algorithms/outer_shares.hpp"

#include <algorithm>

#include "micro_kernels/kernel_set.hpp"

namespace conv2d::algorithm {
namespace {

/// Groups, or tiles of filters.
std::int64_t column_units(const Geometry& g) noexcept {
  const std::int64_t tile = micro_kernels::kernels().tile_columns();
  return g.groups > 1 ? g.groups : ceil_div(g.group_k, tile);
}

OuterShare by_columns(const Geometry& g, const OuterBlocks& blocks, Share share) noexcept {
  OuterShare part{.groups = {0, g.groups}, .filters = {0, g.group_k}, .panels = {0, blocks.panels}};
  part.some_columns = true;
  const Range units = share.of(column_units(g));
  if (g.groups > 1) {
    part.groups = units;
  } else {
    const std::int64_t tile = micro_kernels::kernels().tile_columns();
    part.filters = {units.begin * tile, std::min(units.end * tile, g.group_k)};
  }
  return part;
}

OuterShare by_panels(const Geometry& g, const OuterBlocks& blocks, Share share) noexcept {
  return {.groups = {0, g.groups}, .filters = {0, g.group_k}, .panels = share.of(blocks.panels)};
}

/// Estimated cycles of the largest share: its part of the sums, and the floats that it copies because it is one.
double cycles(const Geometry& g, Range units, std::int64_t all, std::int64_t floats) noexcept {
  const double macs_per_cycle = 2.0 * micro_kernels::kernels().lanes;
  const double part = static_cast<double>(units.size()) / static_cast<double>(all);
  return part * static_cast<double>(g.macs()) / macs_per_cycle + static_cast<double>(floats);
}

}  // namespace

int outer_share_count(const Geometry& g, int most) {
  const OuterBlocks blocks = outer_blocks(g);
  // The rows of a few filters are transposed at the end, all at once.
  if (blocks.filters_are_rows) return 1;
  return static_cast<int>(std::min<std::int64_t>(most, std::max(column_units(g), blocks.panels)));
}

OuterShare outer_share(const Geometry& g, const OuterBlocks& blocks, Share share) noexcept {
  if (share.whole()) return {.groups = {0, g.groups}, .filters = {0, g.group_k}, .panels = {0, blocks.panels}};
  const std::int64_t units = column_units(g);
  if (blocks.panels < share.count) return by_columns(g, blocks, share);
  if (units < share.count) return by_panels(g, blocks, share);
  const Share last{share.count - 1, share.count};
  const double columns = cycles(g, last.of(units), units, g.w_size + (blocks.x_in_place ? 0 : g.x_size));
  const double panels = cycles(g, last.of(blocks.panels), blocks.panels, blocks.dy_in_place ? 0 : g.y_size);
  return columns <= panels ? by_columns(g, blocks, share) : by_panels(g, blocks, share);
}

}  // namespace conv2d::algorithm
