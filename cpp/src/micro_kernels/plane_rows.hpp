#pragma once

#include <cstddef>

#include "micro_kernels/clamp.hpp"

/// The micro-kernels for one channel and one filter. The lanes are neighboring columns, since one channel fills no
/// register.
namespace conv2d::micro_kernels {

/// Most output rows of a PlaneRows.
inline constexpr int kPlaneRows = 4;

/// out[r][j] = start + sum over the taps (p, q) of in[r * row + p * tap_row + j + q * tap_column] * w[p][q]
///
/// Cells are read up to the end of the register of the last column; no other columns of `out` are written.
struct PlaneRows {
  const float* in = nullptr;
  std::ptrdiff_t row = 0;
  std::ptrdiff_t tap_row = 0, tap_column = 0;
  const float* w = nullptr;
  std::ptrdiff_t w_row = 0, w_column = 0;  ///< negative for flipped weights
  std::ptrdiff_t tap_rows = 0, tap_columns = 0;
  float start = 0;
  float* out = nullptr;
  std::ptrdiff_t out_row = 0;
  int rows = 0;  ///< 1 .. kPlaneRows
  std::ptrdiff_t columns = 0;
  const Clamp* clamp = nullptr;  ///< of `out`; null: none
};

/// Copies `rows` rows of `columns` floats into a plane of zeros: row r begins `left` floats into row `top` + r of a
/// plane of `to_rows` rows of `pitch` floats. All of the plane is written.
struct PlaneCopy {
  const float* from = nullptr;
  std::ptrdiff_t from_row = 0, rows = 0, columns = 0;
  float* to = nullptr;
  std::ptrdiff_t pitch = 0, to_rows = 0, top = 0, left = 0;
};

using PlaneRowsFunction = void (*)(const PlaneRows&) noexcept;
using PlaneCopyFunction = void (*)(const PlaneCopy&) noexcept;

}  // namespace conv2d::micro_kernels
