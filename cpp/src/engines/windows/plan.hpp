#pragma once

#include <algorithm>
#include <cstdint>

#include "base/scratch_layout.hpp"
#include "engines/windows/blocks.hpp"
#include "engines/windows/product.hpp"
#include "engines/windows/weights.hpp"

namespace conv2d::engine {

/// How a product runs: in steps, each a panel of columns for a block of windows. The order of summation depends on the
/// sizes only.
struct WindowPlan {
  WindowProduct product;
  BlockShape block;
  std::int64_t blocks = 0;
  Panels panels;
  bool dots = false;  ///< with dot tiles; all columns are then one panel
  /// Weights that the run packs. With one block, each panel is packed just before its use and read from the cache. With
  /// several blocks, the first packs all panels.
  Offset packed;
  Offset padded;  ///< a block's part of the image, with zeros around it

  static WindowPlan of(const WindowProduct& product, ScratchLayout& scratch) noexcept;
  [[nodiscard]] std::int64_t panels_per_group() const noexcept { return dots ? 1 : panels.count; }
  [[nodiscard]] std::int64_t steps() const noexcept { return blocks * product.groups * panels_per_group(); }
  /// Approximate multiply-adds of a step.
  [[nodiscard]] std::int64_t macs_per_step() const noexcept {
    return block.n * block.i * block.j * product.reduction() * std::min(product.out_channels, panels.widest());
  }
};

}  // namespace conv2d::engine
