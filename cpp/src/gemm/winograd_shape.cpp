#include "gemm/winograd_shape.hpp"

#include <algorithm>

#include "gemm/window_blocks.hpp"
#include "gemm/window_tiles.hpp"
#include "micro_kernels/kernel_set.hpp"

namespace conv2d::gemm {
namespace {

/// Transformed cells of a block: all of them up to kWhole floats, else as many as stay in the L2 cache.
constexpr std::int64_t kWhole = 256 * 1024;
constexpr std::int64_t kBlock = 96 * 1024;
/// Tiles of a block at least: fewer would leave the products' tiles empty.
constexpr std::int64_t kFew = 12;

/// Floats of `count` matrices, WinogradShape::step_of(rows * columns) floats from each to the next.
[[gnu::noinline]] CheckedInt matrices_floats(std::int64_t rows, std::int64_t columns, std::int64_t count) noexcept {
  return (CheckedInt(rows) * columns + kLineFloats) * count;
}

CheckedInt cells_floats(const WinogradShape& s, std::int64_t tiles) noexcept {
  return matrices_floats(s.block_of(tiles), s.channels, s.matrices());
}

CheckedInt weights_floats(const WinogradShape& s, std::int64_t panels) noexcept {
  return matrices_floats(s.panels.widest(), s.depth, s.matrices() * panels);
}

}  // namespace

WinogradShape::WinogradShape(const WindowProduct& p, std::int64_t m, int shares) noexcept
    : outputs(m),
      down(ceil_div(p.rows.windows, m)),
      across(ceil_div(p.cols.windows, m)),
      tiles(p.n * down * across),
      depth(p.channels),
      channels(round_up(p.channels, micro_kernels::kernels().lanes)),
      panels(p.columns) {
  const std::int64_t floats = matrices() * channels;  // of a tile
  const auto in = [&](std::int64_t all) { return std::max(kFew, std::min(kBlockWindows, all / floats)); };
  keeps_weights = tiles > in(kWhole);
  if (kThreads && shares > 1) {
    // Tiles can be divided more evenly than panels; but more weights than cells would have to be kept.
    keeps_weights |= panels.count < shares || weights_floats(*this, panels.count).value_or(kWhole + 1) <= kWhole;
  }
  most = keeps_weights ? in(kBlock) : std::max(kFew, tiles);
}

int winograd_share_count(const WindowProduct& p, std::int64_t outputs, int most) noexcept {
  const WinogradShape s(p, outputs, most);
  return static_cast<int>(std::clamp<std::int64_t>(s.keeps_weights ? s.tiles : s.panels.count, 1, most));
}

std::int64_t winograd_common(const WindowProduct& product, std::int64_t outputs, int shares) noexcept {
  const WinogradShape s(product, outputs, shares);
  return WorkspaceSize().add(s.keeps_weights ? weights_floats(s, s.panels.count) : cells_floats(s, s.tiles)).floats();
}

WinogradPieces::WinogradPieces(const WinogradShape& s, int shares) noexcept {
  const Share last{shares - 1, shares};  // which has the most
  const std::int64_t tiles = s.tiles_of(last).size();
  if (last.whole() || s.keeps_weights) cells = cells_floats(s, tiles);
  if (last.whole() || !s.keeps_weights) weights = weights_floats(s, s.keeps_weights ? s.panels.count : 1);
  products = matrices_floats(s.panels.widest(), s.block_of(tiles), s.matrices());
  packed = matrices_floats(s.panels.widest(), s.depth, 9);
  edge = matrices_floats(1, std::max(s.channels, s.panels.widest()), s.matrices());
}

std::int64_t winograd_workspace(const WindowProduct& product, std::int64_t outputs, int shares) noexcept {
  const WinogradPieces pieces(WinogradShape(product, outputs, shares), shares);
  return WorkspaceSize()
      .add(pieces.cells)
      .add(pieces.weights)
      .add(pieces.products)
      .add(pieces.packed)
      .add(pieces.edge)
      .floats();
}

double winograd_cost(const WindowProduct& p, std::int64_t outputs) noexcept {
  const WinogradShape s(p, outputs, 1);
  const auto matrices = static_cast<double>(s.matrices());
  const auto channels = static_cast<double>(p.channels);
  const auto columns = static_cast<double>(p.columns);
  const auto lanes = static_cast<double>(s.panels.lanes);
  const std::int64_t block = s.block_of(s.tiles);
  const std::int64_t more = std::max<std::int64_t>(0, s.blocks_of(s.tiles) - 1);  // blocks before the last
  const auto cover_of = [&](std::int64_t tiles) {
    return WindowCover(static_cast<std::ptrdiff_t>(tiles), static_cast<std::ptrdiff_t>(s.panels.each));
  };
  const WindowCover cover = cover_of(block), last = cover_of(s.tiles - more * block);
  const auto row_tiles = static_cast<double>(more * (cover.tall + cover.low) + last.tall + last.low);
  const auto rows = static_cast<double>(more * cover.done() + last.done());
  // Cycles, fitted to a Zen 3 core. Weights do not stay in the cache; the rest does.
  const double product = matrices * (0.6 * rows * static_cast<double>(s.panels.vectors) * channels +
                                     60.0 * row_tiles * static_cast<double>(s.panels.count));
  const double cells = static_cast<double>(s.tiles) * (600.0 + (channels + columns) * 4.0 * matrices / lanes);
  const double weights = channels * columns * (1.6 * matrices + 8.0);
  return product + cells + weights;
}

}  // namespace conv2d::gemm
