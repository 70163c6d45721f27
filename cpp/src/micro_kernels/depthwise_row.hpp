#pragma once

#include <cstdint>

/// Micro-kernels of depthwise convolutions: a row of pixels and a few taps, whose factors (or sums) stay in registers
/// while the row passes by, one register of channels after the other. All steps are in floats and may be negative.
namespace conv2d::micro_kernels {

/// rows x columns cells that a pixel reads: cell (p, q) lies at data + p * row + q * column, the next pixel's `pixel`
/// further.
struct TapCells {
  const float* data = nullptr;
  std::int64_t row = 0;
  std::int64_t column = 0;
  std::int64_t pixel = 0;
};

/// out[pixel][channel] = start + sum over the taps (p, q) of cells * w[p][q][channel].
struct TapSum {
  TapCells cells;
  const float* w = nullptr;
  std::int64_t w_row = 0;
  std::int64_t w_column = 0;
  const float* start = nullptr;  ///< may be `out`
  std::int64_t start_pixel = 0;
  std::int64_t start_lanes = 0;  ///< from a register of channels to the next; 0: they all start with the same lanes
  float* out = nullptr;
  std::int64_t out_pixel = 0;
  std::int64_t pixels = 0;
  std::int64_t channels = 0;  ///< a multiple of the register's lanes
};

/// dw[p][q][channel] += sum over pixels of cells * dy.
struct TapProducts {
  TapCells cells;
  const float* dy = nullptr;
  std::int64_t dy_pixel = 0;
  float* dw = nullptr;
  std::int64_t dw_row = 0;
  std::int64_t dw_column = 0;
  std::int64_t pixels = 0;
  std::int64_t channels = 0;  ///< a multiple of the register's lanes
};

/// Channels of a TapBlock: a line of the cache, and a register of AVX-512.
inline constexpr int kTapBlock = 16;

/// As TapSum, for all rows of outputs of 3 x 3 taps and kTapBlock channels, whose cells were copied so that neighbours
/// lie next to each other: a constant step, which needs no instruction.
struct TapBlock {
  const float* cells = nullptr;  ///< [row][column][channel]
  std::int64_t row = 0;          ///< floats of a row of cells
  std::int64_t pixel = 0;        ///< from the cells of an output to those of the next
  std::int64_t row_step = 0;     ///< from the cells of a row of outputs to those of the next
  const float* w = nullptr;
  std::int64_t w_row = 0;
  std::int64_t w_column = 0;
  const float* start = nullptr;  ///< a float per channel
  float* out = nullptr;
  std::int64_t out_row = 0;
  std::int64_t out_pixel = 0;
  std::int64_t rows = 0;
  std::int64_t pixels = 0;
};

/// The kernels of rows x columns taps.
struct TapKernels {
  int rows = 0, columns = 0;
  void (*sum)(const TapSum&) noexcept = nullptr;
  void (*products)(const TapProducts&) noexcept = nullptr;
};

/// 3x3, 1x3 and 1x1 taps, of which other kernels are made up. Nine factors and a sum fit the registers of all machines.
inline constexpr int kTapKernels = 3;

}  // namespace conv2d::micro_kernels
