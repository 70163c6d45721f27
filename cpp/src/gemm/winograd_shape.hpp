#pragma once

#include <cstdint>

#include "base/checked.hpp"
#include "base/share.hpp"
#include "gemm/packed_weights.hpp"
#include "gemm/window_product.hpp"
#include "gemm/workspace.hpp"

namespace conv2d::gemm {

/// How F(m x m, 3 x 3) cuts a product into tiles of m x m outputs, and those into blocks whose transforms stay in the
/// cache. Precondition of all here: 3 x 3 taps, step, dilation and groups 1.
struct WinogradShape {
  std::int64_t outputs = 0;           ///< m
  std::int64_t down = 0, across = 0;  ///< tiles of an image
  std::int64_t tiles = 0;             ///< of all images
  /// Whether the transformed weights of all panels are kept, for several blocks of tiles or for several shares, each of
  /// which has some of the tiles. Else there is one block, and shares have some of the panels: a panel's weights are
  /// transformed when its turn comes, and forgotten.
  bool keeps_weights = false;
  std::int64_t most = 0;      ///< tiles of a block, about
  std::int64_t depth = 0;     ///< channels
  std::int64_t channels = 0;  ///< the same, rounded up to whole registers
  Panels panels;              ///< of columns

  WinogradShape(const WindowProduct& p, std::int64_t m, int shares) noexcept;
  /// Floats from one matrix to the next. The powers of two that sizes like to be would put the same element of all
  /// matrices into one set of the cache, from which they would push each other out: 256 channels took twice the time.
  [[nodiscard]] static constexpr std::int64_t step_of(std::int64_t floats) noexcept { return floats + kLineFloats; }
  /// Cells along a tile's side, and matrix products.
  [[nodiscard]] constexpr std::int64_t side() const noexcept { return outputs + 2; }
  [[nodiscard]] constexpr std::int64_t matrices() const noexcept { return side() * side(); }
  /// Equal blocks for so many tiles, and the tiles of one.
  [[nodiscard]] constexpr std::int64_t blocks_of(std::int64_t count) const noexcept { return ceil_div(count, most); }
  [[nodiscard]] constexpr std::int64_t block_of(std::int64_t count) const noexcept {
    return count > 0 ? ceil_div(count, blocks_of(count)) : 0;
  }
  /// What a share has of the tiles and the panels of columns.
  [[nodiscard]] constexpr Range tiles_of(Share share) const noexcept {
    return keeps_weights ? share.of(tiles) : Range{0, tiles};
  }
  [[nodiscard]] constexpr Range panels_of(Share share) const noexcept {
    return keeps_weights ? Range{0, panels.count} : share.of(panels.count);
  }
  /// Floats of the transformed weights of a panel, at its place among all.
  [[nodiscard]] constexpr std::int64_t panel_floats() const noexcept {
    return matrices() * step_of(depth * panels.widest());
  }
};

/// Into how many shares, at most `most`, a product can be divided. What all of them need is made once by them together:
/// the transformed weights, when each has some of the tiles, or the transformed cells, when each has some of the
/// panels.
int winograd_share_count(const WindowProduct& product, std::int64_t outputs, int most) noexcept;

/// Floats of what shares make together; -1 when the count overflows.
std::int64_t winograd_common(const WindowProduct& product, std::int64_t outputs, int shares) noexcept;

/// The floats of a share's pieces of scratch memory.
struct WinogradPieces {
  CheckedInt cells = 0, weights = 0, products = 0, packed = 0, edge = 0;

  WinogradPieces(const WinogradShape& shape, int shares) noexcept;
};

/// Floats of all pieces of the neediest of `shares` shares; -1 when the count overflows.
std::int64_t winograd_workspace(const WindowProduct& product, std::int64_t outputs, int shares) noexcept;

/// Estimated cycles.
double winograd_cost(const WindowProduct& product, std::int64_t outputs) noexcept;

}  // namespace conv2d::gemm
