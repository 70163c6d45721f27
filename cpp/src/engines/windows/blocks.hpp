#pragma once

#include <cstdint>

#include "base/checked.hpp"
#include "engines/windows/product.hpp"

/// How a WindowProduct is cut into blocks whose part of the image stays in the cache.
namespace conv2d::engine {

/// Windows of a block at most: 384 windows of 64 channels are 100 kB.
inline constexpr std::int64_t kBlockWindows = 384;

/// Where a block's windows are read.
enum class Reading {
  in_place,  ///< no window leaves the image
  padded,    ///< the block's part of the image is copied, with zeros around it
  clipped,   ///< a block is one output position of all images, whose windows have the same taps inside
};

/// A box of output positions.
struct WindowBlock {
  Range n, i, j;

  [[nodiscard]] constexpr std::int64_t count() const noexcept { return n.size() * i.size() * j.size(); }
};

/// The size of a block along each axis; at most one of them is neither 1 nor the whole.
struct BlockShape {
  Reading reading = Reading::in_place;
  std::int64_t n = 1, i = 1, j = 1;

  [[nodiscard]] static BlockShape of(const WindowProduct& p) noexcept;
  [[nodiscard]] std::int64_t blocks(const WindowProduct& p) const noexcept;
  [[nodiscard]] WindowBlock at(const WindowProduct& p, std::int64_t block) const noexcept;
  /// Floats of one block's padded copy.
  [[nodiscard]] CheckedInt padded_floats(const WindowProduct& p) const noexcept;
};

/// Copies the cells that the block's windows reach over, row after row, with zeros where they lie outside.
void copy_padded(const WindowProduct& p, const WindowBlock& block, const float* image, float* to) noexcept;

/// The fraction of the taps along an axis that lie in the image.
double fraction_inside(const WindowAxis& axis) noexcept;

/// Cells that `windows` neighbouring windows reach over. Precondition: at least one window and one tap.
constexpr CheckedInt reach(const WindowAxis& axis, std::int64_t windows) noexcept {
  return CheckedInt(windows - 1) * axis.step + CheckedInt(axis.taps - 1) * axis.dilation + 1;
}

}  // namespace conv2d::engine
