#pragma once

#include <cstdint>

#include "compiler/compiler.hpp"
#include "micro_kernels/clamp.hpp"

/// Micro-kernels of depthwise convolutions for a row of pixels and a few taps. The factors (or sums) of the taps stay
/// in registers for the whole row, one register of channels at a time. All steps are in floats and may be negative.
namespace conv2d::micro_kernels {

/// The rows x columns cells that a pixel reads: cell (p, q) is at data + p * row + q * column, the next pixel's cell
/// `pixel` floats further.
struct TapCells {
  const float* data = nullptr;
  std::int64_t row = 0, column = 0, pixel = 0;
};

/// out[pixel][channel] = start + sum over the taps (p, q) of cells * w[p][q][channel].
struct TapSum {
  TapCells cells;
  const float* w = nullptr;
  std::int64_t w_row = 0, w_column = 0;
  const float* start = nullptr;  ///< may be `out`
  std::int64_t start_pixel = 0;
  std::int64_t start_lanes = 0;  ///< from a register of channels to the next; 0: all start with the same lanes
  float* out = nullptr;
  std::int64_t out_pixel = 0;
  std::int64_t pixels = 0;
  std::int64_t channels = 0;     ///< a multiple of the register's lanes
  const Clamp* clamp = nullptr;  ///< of `out`; null: none
  // Only for kernels that read in order:
  std::int64_t lines = 1;  ///< lines of pixels
  std::int64_t cells_line = 0, start_line = 0, out_line = 0;
  /// Only for rows of 3 taps: whether also the pixel before those of a line, for which the column of taps that reads
  /// the lowest addresses has no cells, and the one after them, for which that of the highest has none.
  bool before = false, after = false;
};

/// dw[p][q][channel] += sum over pixels of cells * dy, for `lines` lines of pixels.
struct TapProducts {
  TapCells cells;
  std::int64_t cells_line = 0;  ///< from the cells of a line to those of the next
  const float* dy = nullptr;
  std::int64_t dy_pixel = 0, dy_line = 0;
  float* dw = nullptr;
  std::int64_t dw_row = 0, dw_column = 0;
  std::int64_t lines = 1;
  std::int64_t pixels = 0;    ///< of a line
  std::int64_t channels = 0;  ///< a multiple of the register's lanes
  /// Whether also the pixel before those of a line, for which the first column of taps has no cells, and the one after
  /// them, for which the last has none. Only for rows of 3 taps, by kernels that read in order.
  bool before = false, after = false;
};

/// Whether a set of this architecture has kernels that read memory in order.
#if defined(CONV2D_X86_64)
inline constexpr bool kSomeReadInOrder = true;
#else
inline constexpr bool kSomeReadInOrder = false;
#endif

/// The kernels of rows x columns taps.
struct TapKernels {
  int rows = 0, columns = 0;
  void (*sum)(const TapSum&) noexcept = nullptr;
  void (*products)(const TapProducts&) noexcept = nullptr;
};

/// 3x3, 1x3 and 1x1 taps, which together cover all other kernels. Nine factors and a sum fit into the registers of
/// every target.
inline constexpr int kTapKernels = 3;

}  // namespace conv2d::micro_kernels
