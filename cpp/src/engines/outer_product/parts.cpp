#include "engines/outer_product/parts.hpp"

#include <algorithm>

#include "check/check.hpp"
#include "cost/constants.hpp"
#include "micro_kernels/kernel_set.hpp"

namespace conv2d::engine {
namespace {

/// The units of a division by columns: groups, or tiles of filters.
std::int64_t column_units(const Geometry& g, const OuterBlocks& blocks) noexcept {
  return g.groups > 1 ? g.groups : ceil_div(g.group_k, blocks.kernels->tile_columns());
}

}  // namespace

OuterDivision OuterDivision::of(const Geometry& g, const OuterBlocks& blocks, int most) noexcept {
  CONV2D_DCHECK(most >= 1);
  // The rows of transposed tiles are transposed at the end, all at once.
  if (!kThreads || most == 1 || blocks.transposed) return {};
  const std::int64_t units = column_units(g, blocks);
  const auto parts = static_cast<int>(std::min<std::int64_t>(most, std::max(units, blocks.panels)));
  if (parts == 1 || units < parts) return {.parts = parts, .by_columns = false};
  const OuterDivision columns{.parts = parts, .by_columns = true};
  const OuterDivision panels{.parts = parts, .by_columns = false};
  if (blocks.panels < parts) return columns;
  const KernelSet& k = *blocks.kernels;
  const double whole = k.costs->outer_product.divided_register * static_cast<double>(g.macs()) / k.lanes;
  return columns.cost(g, blocks, whole) <= panels.cost(g, blocks, whole) ? columns : panels;
}

OuterPart OuterDivision::part(const Geometry& g, const OuterBlocks& blocks, Part which) const noexcept {
  OuterPart mine{.groups = {0, g.groups}, .filters = {0, g.group_k}, .panels = {0, blocks.panels}};
  if (which.whole()) return mine;
  if (!by_columns) {
    mine.panels = which.of(blocks.panels);
  } else if (g.groups > 1) {
    mine.groups = which.of(g.groups);
  } else {
    const Range tiles = which.of(column_units(g, blocks));
    const std::int64_t tile = blocks.kernels->tile_columns();
    mine.filters = {tiles.begin * tile, std::min(tiles.end * tile, g.group_k)};
  }
  return mine;
}

double OuterDivision::cost(const Geometry& g, const OuterBlocks& blocks, double whole) const noexcept {
  if (!kThreads || parts == 1) return whole;
  const std::int64_t units = by_columns ? column_units(g, blocks) : blocks.panels;
  const Part last{parts - 1, parts};
  const double sums = static_cast<double>(last.of(units).size()) / static_cast<double>(units);
  // The floats that only a divided pass copies: the part's columns of dw and its own packed x, or its own packed dy.
  const std::int64_t columns = g.w_size + (blocks.x_in_place ? 0 : g.x_size);
  const std::int64_t panels = blocks.dy_in_place ? 0 : g.y_size;
  return sums * whole +
         blocks.kernels->costs->outer_product.divided_float * static_cast<double>(by_columns ? columns : panels);
}

}  // namespace conv2d::engine
