#pragma once

#include <cstdint>

#include "base/checked.hpp"
#include "base/ledger.hpp"
#include "base/part.hpp"
#include "engines/windows/product.hpp"
#include "engines/windows/weights.hpp"
#include "micro_kernels/winograd.hpp"

namespace conv2d::engine {

/// How F(m x m, 3 x 3) divides a product into tiles of m x m outputs, the tiles into blocks whose transforms stay in
/// the cache, and the columns into panels. Precondition of all here: 3 x 3 taps; step, dilation and groups are 1.
struct WinogradShape {
  std::int64_t outputs = 0;           ///< m
  std::int64_t down = 0, across = 0;  ///< tiles of an image
  std::int64_t tiles = 0;             ///< of all images
  /// Whether the transformed weights of all panels are kept, for several blocks of tiles or for several parts, each of
  /// which has some of the tiles. Else there is one block, and parts have some of the panels: a panel's weights are
  /// transformed when its turn comes, and forgotten.
  bool keeps_weights = false;
  std::int64_t most = 0;      ///< tiles of a block, about
  std::int64_t depth = 0;     ///< channels
  std::int64_t channels = 0;  ///< the same, rounded up to whole registers
  Panels panels;              ///< of columns

  WinogradShape(const WindowProduct& p, std::int64_t m, int parts) noexcept;
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
  /// What a part has of the tiles and of the panels.
  [[nodiscard]] constexpr Range tiles_of(Part part) const noexcept {
    return keeps_weights ? part.of(tiles) : Range{0, tiles};
  }
  [[nodiscard]] constexpr Range panels_of(Part part) const noexcept {
    return keeps_weights ? Range{0, panels.count} : part.of(panels.count);
  }
  /// Floats of the transformed weights of a panel, at its place among all.
  [[nodiscard]] constexpr std::int64_t panel_floats() const noexcept {
    return matrices() * step_of(depth * panels.widest());
  }
};

/// How a product runs: part by part, each step by step, a step being a panel of columns for a block of tiles. The order
/// of summation depends on the sizes only. What all of several parts need is made once by them together: the
/// transformed weights, when each has some of the tiles, or the transformed cells, when each has some of the panels.
struct WinogradPlan {
  WindowProduct product;
  const micro_kernels::WinogradKernels* kernels;
  int parts;
  WinogradShape shape;
  Place cells;     ///< [matrix][tile][channel] of a block
  Place weights;   ///< [panel][matrix][channel][lane], or one panel's
  Place products;  ///< [matrix][tile][lane] of one panel
  Place packed;    ///< one panel of weights as they are
  Place edge;      ///< one tile that reaches over the edge: its cells, or its outputs

  /// For as many parts as can be, at most `threads`. Takes its memory from the ledgers: what all parts read, and what
  /// each has for itself.
  WinogradPlan(const WindowProduct& product, std::int64_t outputs, int threads, Ledger& common, Ledger& own) noexcept;

  [[nodiscard]] constexpr bool divided() const noexcept { return kThreads && parts > 1; }
  [[nodiscard]] constexpr bool common_weights() const noexcept { return divided() && shape.keeps_weights; }
  [[nodiscard]] constexpr bool common_cells() const noexcept { return divided() && !shape.keeps_weights; }

  [[nodiscard]] std::int64_t steps(Part part) const noexcept {
    return shape.blocks_of(shape.tiles_of(part).size()) * shape.panels_of(part).size();
  }
  /// Multiply-adds of a step, about.
  [[nodiscard]] std::int64_t macs_per_step(Part part) const noexcept {
    const std::int64_t tiles = shape.block_of(shape.tiles_of(part).size());
    return tiles * shape.outputs * shape.outputs * product.depth() * shape.panels.widest();
  }
  /// Estimated cycles of the slowest part.
  [[nodiscard]] double cost() const noexcept;
};

}  // namespace conv2d::engine
