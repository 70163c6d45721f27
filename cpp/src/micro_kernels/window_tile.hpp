#pragma once

#include <cstddef>

#include "micro_kernels/clamp.hpp"

/// The micro-kernels that read windows in place: a tile of a product with the windows of neighboring outputs as rows,
/// each given by the address of its first cell. Nothing of the image is copied into a panel.
namespace conv2d::micro_kernels {

/// The spans of a window that are contiguous in memory, as two nested loops: `rows` x `cols` spans of `length` floats,
/// each >= 1. Steps are in floats. `a` is the window in x; `b` is the packed weights. In b, the spans of a row follow
/// each other without gaps.
struct WindowSpans {
  std::ptrdiff_t first_a = 0;  ///< of the first span, from the window's address
  std::ptrdiff_t rows = 0, row_a = 0, row_b = 0;
  std::ptrdiff_t cols = 0, col_a = 0;
  std::ptrdiff_t length = 0;
};

/// Tiles of rows of outputs times a panel of columns:
///   out[r][j] = start[r * start_row + j] + sum over the spans of windows[r][d] * b[d][j],   b[d] is vectors * lanes floats
struct WindowTile {
  const float* const* windows = nullptr;  ///< one address per row
  float* const* out = nullptr;            ///< where each row's columns are written
  std::ptrdiff_t rows = 0;                ///< at least those of a tile; the last rows may be computed twice
  const float* b = nullptr;
  const float* start = nullptr;  ///< vectors * lanes floats of a row: the bias, or zeros
  std::ptrdiff_t start_row = 0;  ///< 0: all rows have the same start
  std::ptrdiff_t first_out = 0;  ///< of the panel's first column, from the addresses in `out`
  std::ptrdiff_t columns = 0;    ///< 1 .. vectors * lanes; only these are written
  WindowSpans spans;
  const Clamp* clamp = nullptr;  ///< of the sums; null: none
};

/// The same for up to kMaxDotColumns columns: a panel would leave most lanes empty. The lanes run along the reduction:
/// b holds `lanes` floats of each column in turn. The length of a span is a multiple of the lanes.
struct DotTile {
  const float* const* windows = nullptr;
  float* const* out = nullptr;
  std::ptrdiff_t rows = 0;  ///< as above
  const float* b = nullptr;
  const float* start = nullptr;  ///< `lanes` floats per column; their sum is the start of the column
  std::ptrdiff_t first_out = 0;
  WindowSpans spans;
  const Clamp* clamp = nullptr;  ///< as above
};

/// Most rows of a tile. Where there are fewer windows, addresses may be repeated.
inline constexpr int kMaxWindowRows = 12;

/// The tiles for the rows that remain after the taller tiles have eight sums, one or two registers across: two
/// multiply-adds per cycle, each with a latency of four cycles, need eight.
inline constexpr int kRestRows1 = 8;
inline constexpr int kRestRows2 = 4;

/// The tile with the least overhead to begin and end.
inline constexpr int kTile2x4Rows = 2;
inline constexpr int kTile2x4Vectors = 4;
/// Registers of the widest panel.
inline constexpr int kMaxPanelVectors = kTile2x4Vectors;

/// Products with more columns use panels.
inline constexpr int kMaxDotColumns = 3;

using WindowTileFunction = void (*)(const WindowTile&) noexcept;
using DotTileFunction = void (*)(const DotTile&) noexcept;

}  // namespace conv2d::micro_kernels
