#pragma once

#include <algorithm>
#include <cstdint>

#include "base/ledger.hpp"
#include "engines/windows/blocks.hpp"
#include "engines/windows/product.hpp"
#include "engines/windows/weights.hpp"

namespace conv2d::engine {

/// How a product runs: step by step, each a panel of columns for a block of windows. The order of summation depends on
/// the sizes only.
struct WindowPlan {
  WindowProduct product;
  BlockShape block;
  std::int64_t blocks = 0;
  Panels panels;
  bool dots = false;  ///< by dot tiles, for which all columns are one panel
  /// Weights that the run packs. With one block each panel is needed once: it is packed when its turn comes, and read
  /// out of the cache. With several, the first block packs them all.
  Place packed;
  Place padded;  ///< a block's part of the image with zeros around it

  static WindowPlan of(const WindowProduct& product, Ledger& scratch) noexcept;
  [[nodiscard]] std::int64_t panels_per_group() const noexcept { return dots ? 1 : panels.count; }
  [[nodiscard]] std::int64_t steps() const noexcept { return blocks * product.groups * panels_per_group(); }
  /// Multiply-adds of a step, about.
  [[nodiscard]] std::int64_t macs_per_step() const noexcept {
    return block.n * block.i * block.j * product.depth() * std::min(product.columns, panels.widest());
  }
};

}  // namespace conv2d::engine
