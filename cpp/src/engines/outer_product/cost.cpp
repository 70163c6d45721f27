#include <algorithm>

#include "cost/constants.hpp"
#include "engines/outer_product/blocks.hpp"
#include "engines/windows/blocks.hpp"
#include "engines/windows/passes.hpp"
#include "micro_kernels/kernel_set.hpp"

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
    const std::int64_t most = micro_kernels::outer_vectors(tile_rows, true);
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

}  // namespace conv2d::engine
