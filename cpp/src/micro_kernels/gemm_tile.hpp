#pragma once

#include <cstdint>

/// The GEMM micro-kernel: one tile of C from one panel of A and one of B, held in registers from first to last.
///
///                     B panel, depth x columns
///                     b[0][0] b[0][1] ... b[0][columns-1]      contiguous, row after row
///                     b[1][0] ...
///     A panel, depth x rows
///     a[0][0] a[0][1] ... a[0][rows-1]                         contiguous: column d of A lies at a + d * rows
///
///     c[r][j] (+)= sum over d of a[d][r] * b[d][j]             row r of C at c + r * row_stride, columns contiguous
///
/// Both panels are always full; of C only the `rows` and `columns` that exist are touched.
namespace conv2d::micro_kernels {

inline constexpr int kMaxTileRows = 12;
inline constexpr int kMaxTileVectors = 3;

struct GemmTile {
  const float* a = nullptr;     ///< depth * (rows of the tile) floats
  const float* b = nullptr;     ///< depth * (vectors * lanes) floats
  float* c = nullptr;           ///< rows x columns
  std::int64_t row_stride = 0;  ///< of c, in floats
  std::int64_t depth = 0;       ///< >= 0
  std::int64_t rows = 0;        ///< 1 .. those of the tile
  std::int64_t columns = 0;     ///< 1 .. vectors * lanes
  bool accumulate = false;      ///< false: c is written and never read
};

using GemmTileFunction = void (*)(const GemmTile&) noexcept;

}  // namespace conv2d::micro_kernels
