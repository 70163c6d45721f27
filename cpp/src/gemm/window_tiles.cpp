#include "gemm/window_tiles.hpp"

#include <algorithm>

#include "gemm/window_product.hpp"
#include "micro_kernels/kernel_set.hpp"

namespace conv2d::gemm {

WindowCover::WindowCover(std::int64_t rows, std::int64_t vectors) noexcept
    : tall_rows(micro_kernels::kernels().window_rows[vectors - 1]), low_rows(micro_kernels::kLowWindowRows) {
  tall = ceil_div(rows, tall_rows);
  if (vectors != micro_kernels::kLowWindowVectors) return;
  for (std::int64_t more = 1; more <= 2; ++more) {
    WindowCover cover = *this;
    cover.tall = ceil_div(std::max<std::int64_t>(0, rows - more * low_rows), tall_rows);
    cover.low = more;
    if (cover.done() < done()) *this = cover;
  }
}

void multiply_windows(micro_kernels::WindowTile tiles, std::int64_t rows, std::int64_t vectors) noexcept {
  const micro_kernels::KernelSet& k = micro_kernels::kernels();
  if (vectors == micro_kernels::kWideVectors) {
    tiles.rows = static_cast<std::ptrdiff_t>(rows);
    return k.wide_window_tile(tiles);
  }
  const WindowCover cover(rows, vectors);
  const auto run = [&](micro_kernels::WindowTileFunction tile, std::int64_t count, std::int64_t least) {
    tiles.rows = static_cast<std::ptrdiff_t>(std::max(count, least));
    tile(tiles);
  };
  const std::int64_t tall = cover.low > 0 ? cover.tall * cover.tall_rows : rows;
  if (tall > 0) run(k.window_tile[vectors - 1], tall, cover.tall_rows);
  if (cover.low == 0) return;
  // What is left over, and some rows above it when it is less than a tile.
  const std::int64_t first = std::max<std::int64_t>(0, std::min(tall, rows - cover.low_rows));
  tiles.windows += first;
  tiles.out += first;
  run(k.low_window_tile, rows - first, cover.low_rows);
}

}  // namespace conv2d::gemm
