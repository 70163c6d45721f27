#pragma once

#include <cstdint>

/// The micro-kernel of backward_weights: a tile of dw in registers, to which every pixel adds the outer product of a
/// few floats of one tensor with a few of the other. Both are read in place, strided or packed.
namespace conv2d::micro_kernels {

/// One of three nested loops: its iterations, and the steps of both operands in floats.
struct Loop {
  std::int64_t count = 0;  ///< >= 0
  std::int64_t a_step = 0, b_step = 0;
};

/// c[s * rows + r][j] (+)= sum over images, lines and pixels of a[s * a_span + r] * b[j], for one span or kTripleSpans
/// of `rows` rows each; a and b move by the steps of the three loops. `tiles` such tiles, one after the other.
struct OuterProductTile {
  const float* a = nullptr;  ///< rows floats of each span at every pixel
  const float* b = nullptr;  ///< vectors * lanes floats at every pixel
  float* c = nullptr;        ///< (spans * rows) x (vectors * lanes)
  Loop images, lines, pixels;
  std::int64_t a_span = 0;                          ///< floats from a span of a to the next
  std::int64_t row_stride = 0;                      ///< of c, in floats
  bool accumulate = false;                          ///< false: c is written and never read
  std::int64_t tiles = 1;                           ///< >= 1
  std::int64_t next_a = 0, next_b = 0, next_c = 0;  ///< floats from one tile to the next
};

using OuterProductFunction = void (*)(const OuterProductTile&) noexcept;

/// How many registers lie across a tile.
enum class TileWidth : std::uint8_t {
  one,   ///< for few columns
  two,   ///< the usual width
  wide,  ///< enough for eight sums, which hides the latency of two multiply-adds per cycle
};
inline constexpr int kTileWidths = 3;

/// Spans of a triple, a tile of one register for the three rows of taps of a kernel. It has up to kTripleRows rows per
/// span: three taps of three channels. With 16 filters and 9 rows, a tile of one span would load 10 registers for 9
/// multiply-adds, a triple loads 28 for 27.
inline constexpr int kTripleSpans = 3;
inline constexpr int kTripleRows = 9;

/// Registers across a tile of `rows` rows.
constexpr int outer_vectors(int rows, TileWidth width) noexcept {
  if (width == TileWidth::one) return 1;
  return width == TileWidth::wide && rows < 4 ? 8 / rows : 2;
}

}  // namespace conv2d::micro_kernels
