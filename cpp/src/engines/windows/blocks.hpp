#pragma once

#include <cstdint>

#include "base/checked.hpp"
#include "engines/windows/product.hpp"

/// How a WindowProduct is divided into blocks that read a part of the image small enough for the cache.
namespace conv2d::engine {

/// Most windows of a block: 384 windows of 64 channels are 100 kB.
inline constexpr std::int64_t kBlockWindows = 384;

/// How a block reads its windows.
enum class InputAccess {
  in_place,  ///< from the image: no window crosses its edge
  padded,    ///< from a copy of the block's part of the image, with zeros around it
  clipped,   ///< from the image: a block is one output position of all images; its windows share the taps inside
};

/// A box of output positions.
struct WindowBlock {
  Range n, i, j;

  [[nodiscard]] constexpr std::int64_t count() const noexcept { return n.size() * i.size() * j.size(); }
};

/// The size of a block along each axis. At most one size is neither 1 nor the whole axis.
struct BlockShape {
  InputAccess access = InputAccess::in_place;
  std::int64_t n = 1, i = 1, j = 1;

  [[nodiscard]] static BlockShape of(const WindowProduct& p) noexcept;
  [[nodiscard]] std::int64_t blocks(const WindowProduct& p) const noexcept;
  [[nodiscard]] WindowBlock at(const WindowProduct& p, std::int64_t block) const noexcept;
  /// Floats of one block's padded copy.
  [[nodiscard]] CheckedInt padded_floats(const WindowProduct& p) const noexcept;
};

/// Copies the cells that the block's windows cover, row after row, with zeros for those outside the image.
void copy_padded(const WindowProduct& p, const WindowBlock& block, const float* image, float* to) noexcept;

/// The fraction of the taps along an axis that are inside the image.
double fraction_inside(const WindowAxis& axis) noexcept;

/// Cells that `windows` adjacent windows cover. Precondition: at least one window and one tap.
constexpr CheckedInt reach(const WindowAxis& axis, std::int64_t windows) noexcept {
  return CheckedInt(windows - 1) * axis.step + CheckedInt(axis.taps - 1) * axis.dilation + 1;
}

}  // namespace conv2d::engine
