#include "engines/windows/tiles.hpp"

#include <algorithm>

#include "base/range.hpp"
#include "check/check.hpp"
#include "micro_kernels/kernel_set.hpp"

namespace conv2d::engine {

WindowCover::WindowCover(const micro_kernels::KernelSet& kernels, std::ptrdiff_t rows, std::ptrdiff_t vectors) noexcept
    : main_rows(kernels.window_rows[vectors - 1]), rest_rows(micro_kernels::kTile4x2Rows) {
  main_tiles = static_cast<std::ptrdiff_t>(ceil_div(rows, main_rows));
  // A second kernel call pays only when it saves more than a fiftieth of the rows.
  if (vectors != micro_kernels::kTile4x2Vectors || done() - rows <= rows / 50) return;
  for (int more = 1; more <= 2; ++more) {
    WindowCover cover = *this;
    cover.main_tiles = static_cast<std::ptrdiff_t>(ceil_div(rows - more * rest_rows, main_rows));
    cover.rest_tiles = more;
    if (cover.done() < done()) *this = cover;
  }
}

void multiply_windows(const micro_kernels::KernelSet& kernels, micro_kernels::WindowTile tiles, std::ptrdiff_t rows,
                      std::ptrdiff_t vectors) noexcept {
  CONV2D_DCHECK(rows >= 1 && vectors >= 1 && vectors <= micro_kernels::kMaxPanelVectors);
  if (vectors == micro_kernels::kTile2x4Vectors) {
    tiles.rows = std::max<std::ptrdiff_t>(rows, micro_kernels::kTile2x4Rows);
    return kernels.window_tile_2x4(tiles);
  }
  const WindowCover cover(kernels, rows, vectors);
  const auto run = [&](micro_kernels::WindowTileFunction tile, std::ptrdiff_t count, std::ptrdiff_t least) {
    tiles.rows = std::max(count, least);
    tile(tiles);
  };
  const std::ptrdiff_t main_rows = cover.rest_tiles > 0 ? cover.main_tiles * cover.main_rows : rows;
  if (main_rows > 0) run(kernels.window_tile[vectors - 1], main_rows, cover.main_rows);
  if (cover.rest_tiles == 0) return;
  // The remaining rows; when they do not fill a tile, it also repeats some rows above them.
  const std::ptrdiff_t first = std::max<std::ptrdiff_t>(0, std::min(main_rows, rows - cover.rest_rows));
  tiles.windows += first;
  tiles.out += first;
  run(kernels.window_tile_4x2, rows - first, cover.rest_rows);
}

}  // namespace conv2d::engine
