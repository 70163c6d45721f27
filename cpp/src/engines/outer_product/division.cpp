#include <algorithm>

#include "check/check.hpp"
#include "cost/constants.hpp"
#include "engines/outer_product/blocks.hpp"
#include "engines/windows/blocks.hpp"
#include "engines/windows/passes.hpp"
#include "micro_kernels/kernel_set.hpp"

/// The cost of the pass, and the division among threads that it decides.
namespace conv2d::engine {
namespace {

/// Cycles per pixel of the tiles of a span's `rows` rows and `filters` filters.
double cycles_per_pixel(const OuterBlocks& blocks, std::int64_t rows, std::int64_t filters) noexcept {
  const KernelSet& k = *blocks.kernels;
  const cost::OuterProduct& c = k.costs->outer_product;
  const auto tile = [&c](double registers) { return std::max(c.tile_min, c.tile_register * registers); };
  if (blocks.transposed) {
    const std::int64_t tiles = ceil_div(filters, k.outer_tile_rows);
    const auto tile_rows = static_cast<int>(ceil_div(filters, tiles));
    const std::int64_t most = micro_kernels::outer_vectors(tile_rows, micro_kernels::TileWidth::wide);
    const std::int64_t vectors = ceil_div(rows, k.lanes);
    const double rest = static_cast<double>((vectors % most + 1) / 2) * tile(2.0 * tile_rows);
    return static_cast<double>(tiles) *
           (static_cast<double>(vectors / most) * tile(static_cast<double>(most * tile_rows)) + rest);
  }
  const std::int64_t tiles = ceil_div(rows, rows % k.tile_rows == 0 ? k.tile_rows : k.outer_tile_rows);
  const double tile_rows = static_cast<double>(rows) / static_cast<double>(tiles);
  const auto panels = static_cast<double>(ceil_div(filters, k.tile_columns()));
  return static_cast<double>(tiles) * panels * tile(tile_rows * k.tile_vectors);
}

/// The units of a division by columns: groups, or tiles of filters.
std::int64_t column_units(const Geometry& g, const OuterBlocks& blocks) noexcept {
  return g.groups > 1 ? g.groups : ceil_div(g.group_k, blocks.kernels->tile_columns());
}

}  // namespace

double outer_cost(const Geometry& g, const OuterBlocks& blocks) noexcept {
  const KernelSet& k = *blocks.kernels;
  const auto pixels = static_cast<double>(g.n * g.oh * g.ow);
  // Taps in the padding are left out, except in the columns of borders.
  const WindowProduct windows = forward_product(g, k);
  const double lines = fraction_inside(windows.rows) * static_cast<double>(g.oh) * static_cast<double>(g.kh);
  const double inside_columns = blocks.borders ? 1.0 : fraction_inside(windows.cols);
  const double columns = inside_columns * static_cast<double>(g.ow) * static_cast<double>(blocks.spans);
  const auto span_lines = lines * static_cast<double>(g.n * blocks.spans);
  const double per_pixel =
      static_cast<double>(blocks.panels - 1) * cycles_per_pixel(blocks, blocks.rows_in(0), g.group_k) +
      cycles_per_pixel(blocks, blocks.rows_in(blocks.panels - 1), g.group_k);
  // The overhead of a tile beyond its multiply-adds, per line and per block.
  const cost::OuterProduct& c = k.costs->outer_product;
  const std::int64_t tile_floats = (blocks.transposed ? g.group_k : k.tile_rows) * k.tile_columns();
  const double tiles = static_cast<double>(ceil_div(dw_rows(g) * g.group_k, tile_floats));
  const double tiles_per_span = tiles / static_cast<double>(g.kh * blocks.spans);
  const double all_blocks = static_cast<double>(ceil_div(g.oh, blocks.lines) * ceil_div(g.n, blocks.images));
  const double pack_x = blocks.x_in_place ? 0.0 : c.packed_x_float * static_cast<double>(g.n * g.h * g.w * g.group_c);
  const double pack_dy = blocks.dy_in_place ? 0.0 : c.packed_dy_float * pixels * static_cast<double>(g.group_k);
  const double per_group = static_cast<double>(g.n) * lines * columns * per_pixel +
                           tiles_per_span * span_lines * c.line + tiles * all_blocks * c.tile + pack_x + pack_dy;
  return static_cast<double>(g.groups) * per_group;
}

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
