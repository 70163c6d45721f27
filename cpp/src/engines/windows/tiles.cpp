#include "engines/windows/tiles.hpp"

#include <algorithm>

#include "base/range.hpp"
#include "check/check.hpp"
#include "micro_kernels/kernel_set.hpp"

namespace conv2d::engine {

WindowCover::WindowCover(const micro_kernels::KernelSet& kernels, std::ptrdiff_t rows, std::ptrdiff_t vectors) noexcept
    : tall_rows(kernels.window_rows[vectors - 1]), low_rows(micro_kernels::kLowWindowRows) {
  tall = static_cast<std::ptrdiff_t>(ceil_div(rows, tall_rows));
  // A call is not worth less than a fiftieth of the rows.
  if (vectors != micro_kernels::kLowWindowVectors || done() - rows <= rows / 50) return;
  for (int more = 1; more <= 2; ++more) {
    WindowCover cover = *this;
    cover.tall = static_cast<std::ptrdiff_t>(ceil_div(rows - more * low_rows, tall_rows));
    cover.low = more;
    if (cover.done() < done()) *this = cover;
  }
}

void multiply_windows(const micro_kernels::KernelSet& kernels, micro_kernels::WindowTile tiles, std::ptrdiff_t rows,
                      std::ptrdiff_t vectors) noexcept {
  CONV2D_CHECK(rows >= 1 && vectors >= 1 && vectors <= micro_kernels::kMaxPanelVectors);
  if (vectors == micro_kernels::kWideVectors) {
    tiles.rows = std::max<std::ptrdiff_t>(rows, micro_kernels::kWideRows);
    return kernels.wide_window_tile(tiles);
  }
  const WindowCover cover(kernels, rows, vectors);
  const auto run = [&](micro_kernels::WindowTileFunction tile, std::ptrdiff_t count, std::ptrdiff_t least) {
    tiles.rows = std::max(count, least);
    tile(tiles);
  };
  const std::ptrdiff_t tall = cover.low > 0 ? cover.tall * cover.tall_rows : rows;
  if (tall > 0) run(kernels.window_tile[vectors - 1], tall, cover.tall_rows);
  if (cover.low == 0) return;
  // What is left over, and some rows above it when it is less than a tile.
  const std::ptrdiff_t first = std::max<std::ptrdiff_t>(0, std::min(tall, rows - cover.low_rows));
  tiles.windows += first;
  tiles.out += first;
  run(kernels.low_window_tile, rows - first, cover.low_rows);
}

}  // namespace conv2d::engine
