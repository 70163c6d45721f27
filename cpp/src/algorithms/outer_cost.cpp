#include "algorithms/outer_blocks.hpp"

#include <algorithm>

#include "algorithms/window_products.hpp"
#include "gemm/window_blocks.hpp"
#include "micro_kernels/kernel_set.hpp"

namespace conv2d::algorithm {
namespace {

/// Cycles that a walk spends per pixel on lanes x columns sums, cut into tiles.
double cycles_per_pixel(const OuterBlocks& blocks, std::int64_t lanes, std::int64_t filters) noexcept {
  const micro_kernels::KernelSet& k = micro_kernels::kernels();
  // Two multiply-adds per cycle, a fifth more for all that is not unrolled, and four cycles until the next one to the
  // same sum can begin.
  const auto tile = [](double registers) { return std::max(4.0, 0.6 * registers); };
  if (blocks.filters_are_rows) {
    const std::int64_t tiles = ceil_div(filters, k.outer_rows);
    const auto rows = static_cast<int>(ceil_div(filters, tiles));
    const std::int64_t most = micro_kernels::outer_vectors(rows, true);
    const std::int64_t vectors = ceil_div(lanes, k.lanes);
    const double rest = static_cast<double>((vectors % most + 1) / 2) * tile(2.0 * rows);
    return static_cast<double>(tiles) *
           (static_cast<double>(vectors / most) * tile(static_cast<double>(most * rows)) + rest);
  }
  const std::int64_t tiles = ceil_div(lanes, lanes % k.tile_rows == 0 ? k.tile_rows : k.outer_rows);
  const double rows = static_cast<double>(lanes) / static_cast<double>(tiles);
  const auto panels = static_cast<double>(ceil_div(filters, k.tile_columns()));
  return static_cast<double>(tiles) * panels * tile(rows * k.tile_vectors);
}

}  // namespace

double outer_cost(const Geometry& g) noexcept {
  const micro_kernels::KernelSet& k = micro_kernels::kernels();
  const OuterBlocks blocks = outer_blocks(g);
  const auto pixels = static_cast<double>(g.n * g.oh * g.ow);
  // Taps that lie in the padding are left out, but for the columns of borders.
  const gemm::WindowProduct windows = forward_product(g, {});
  const double lines = gemm::inside_share(windows.rows) * static_cast<double>(g.oh) * static_cast<double>(g.kh);
  const double share = blocks.borders ? 1.0 : gemm::inside_share(windows.cols);
  const double columns = share * static_cast<double>(g.ow) * static_cast<double>(blocks.strips);
  const auto strip_lines = lines * static_cast<double>(g.n * blocks.strips);
  const double per_pixel =
      static_cast<double>(blocks.panels - 1) * cycles_per_pixel(blocks, blocks.lanes_in(0), g.group_k) +
      cycles_per_pixel(blocks, blocks.lanes_in(blocks.panels - 1), g.group_k);
  // What a tile costs beside its multiply-adds, once per line and once per block.
  constexpr double kCyclesPerLine = 12.0, kCyclesPerTile = 45.0;
  const std::int64_t tile_lanes =
      blocks.filters_are_rows ? g.group_k * k.tile_columns() : k.tile_rows * k.tile_columns();
  const double tiles = static_cast<double>(ceil_div(outer_rows(g) * g.group_k, tile_lanes));
  const double tiles_per_strip = tiles / static_cast<double>(g.kh * blocks.strips);
  const double all_blocks = static_cast<double>(ceil_div(g.oh, blocks.rows) * ceil_div(g.n, blocks.images));
  const double pack_x = blocks.x_in_place ? 0.0 : 0.5 * static_cast<double>(g.n * g.h * g.w * g.group_c);
  const double pack_dy = blocks.dy_in_place ? 0.0 : 0.4 * pixels * static_cast<double>(g.group_k);
  const double per_group = static_cast<double>(g.n) * lines * columns * per_pixel +
                           tiles_per_strip * strip_lines * kCyclesPerLine + tiles * all_blocks * kCyclesPerTile +
                           pack_x + pack_dy;
  return static_cast<double>(g.groups) * per_group;
}

}  // namespace conv2d::algorithm
