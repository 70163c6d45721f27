#pragma once

#include <cstdint>

/// The micro-kernel of backward_weights: a tile of dw in registers, to which every pixel adds the outer product of a
/// few floats of one tensor with a few of the other. Both are read in place, strided or packed.
namespace conv2d::micro_kernels {

/// One of three nested loops: its iterations, and the steps of both operands in floats.
struct Loop {
  std::int64_t count = 0;  ///< >= 0
  std::int64_t a_step = 0;
  std::int64_t b_step = 0;
};

/// c[r][j] (+)= sum over images, lines and pixels of a[r] * b[j]; a and b move by the steps of the three loops.
struct OuterProductTile {
  const float* a = nullptr;  ///< rows floats at every pixel
  const float* b = nullptr;  ///< vectors * lanes floats at every pixel
  float* c = nullptr;        ///< rows x (vectors * lanes)
  Loop images, lines, pixels;
  std::int64_t row_stride = 0;  ///< of c, in floats
  bool accumulate = false;      ///< false: c is written and never read
};

using OuterProductFunction = void (*)(const OuterProductTile&) noexcept;

/// How many registers lie across a tile.
enum class TileWidth : std::uint8_t {
  one,   ///< for few columns
  two,   ///< the usual width
  wide,  ///< enough for eight sums, which hides the latency of two multiply-adds per cycle
};
inline constexpr int kTileWidths = 3;

/// Registers across a tile of `rows` rows.
constexpr int outer_vectors(int rows, TileWidth width) noexcept {
  if (width == TileWidth::one) return 1;
  return width == TileWidth::wide && rows < 4 ? 8 / rows : 2;
}

}  // namespace conv2d::micro_kernels
