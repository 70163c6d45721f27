#pragma once

#include <cstdint>

/// The GEMM micro-kernel: one tile of C from one panel of A and one of B. The tile stays in registers for the whole
/// reduction.
///
///                     B panel, k x n
///                     b[0][0] b[0][1] ... b[0][n-1]       contiguous, row after row
///                     b[1][0] ...
///     A panel, k x m
///     a[0][0] a[0][1] ... a[0][m-1]                       contiguous: column d of A is at a + d * m
///
///     c[r][j] (+)= sum over d of a[d][r] * b[d][j]        row r of C is at c + r * ldc, its columns are contiguous
///
/// Both panels are always full. Only m rows and n columns of C are read or written.
namespace conv2d::micro_kernels {

inline constexpr int kMaxTileRows = 12;
inline constexpr int kMaxTileVectors = 3;

struct GemmTile {
  const float* a = nullptr;  ///< k * (rows of the tile) floats
  const float* b = nullptr;  ///< k * (vectors * lanes) floats
  float* c = nullptr;        ///< m x n
  std::int64_t ldc = 0;      ///< floats from a row of c to the next
  std::int64_t k = 0;        ///< >= 0
  std::int64_t m = 0;        ///< 1 .. rows of the tile
  std::int64_t n = 0;        ///< 1 .. vectors * lanes
  bool accumulate = false;   ///< false: c is written and never read
};

using GemmTileFunction = void (*)(const GemmTile&) noexcept;

}  // namespace conv2d::micro_kernels
