#pragma once

#include "check/check.hpp"
#include "micro_kernels/plane_rows.hpp"
#include "simd/batch.hpp"

namespace conv2d::micro_kernels {

/// Contract in plane_rows.hpp; never inlined, for the reason given at window_tile.
template <class Arch>
[[gnu::noinline]] void plane_rows(const PlaneRows& p) noexcept {
  using simd::Floats;
  constexpr int kLanes = simd::kLanes<Arch>;
  constexpr int kVectors = 2;  // eight sums hide the latency of two multiply-adds per cycle
  constexpr int kColumns = kVectors * kLanes;
  CONV2D_DCHECK(p.rows >= 1 && p.rows <= kPlaneRows && p.columns >= 0 && p.tap_rows >= 0 && p.tap_columns >= 0);
  CONV2D_DCHECK(p.columns == 0 || (p.in && p.w && p.out));

  for (std::ptrdiff_t first = 0; first < p.columns; first += kColumns) {
    // A second register without columns reads the cells of the first.
    const bool wide = p.columns - first > kLanes;
    const std::ptrdiff_t second = wide ? kLanes : 0;
    const float* in[kPlaneRows];
    Floats<Arch> sums[kPlaneRows][kVectors];
#pragma GCC unroll 16
    for (int r = 0; r < kPlaneRows; ++r) {
      in[r] = p.in + (r < p.rows ? r : p.rows - 1) * p.row + first;
#pragma GCC unroll 16
      for (int v = 0; v < kVectors; ++v) sums[r][v] = simd::broadcast<Arch>(p.start);
    }
    for (std::ptrdiff_t i = 0; i < p.tap_rows; ++i) {
      for (std::ptrdiff_t j = 0; j < p.tap_columns; ++j) {
        const Floats<Arch> w = simd::broadcast<Arch>(p.w[i * p.w_row + j * p.w_column]);
        const std::ptrdiff_t tap = i * p.tap_row + j * p.tap_column;
#pragma GCC unroll 16
        for (int r = 0; r < kPlaneRows; ++r) {
          const float* cells = in[r] + tap;
          sums[r][0] = simd::multiply_add<Arch>(simd::load<Arch>(cells), w, sums[r][0]);
          sums[r][1] = simd::multiply_add<Arch>(simd::load<Arch>(cells + second), w, sums[r][1]);
        }
      }
    }
    const std::ptrdiff_t columns = p.columns - first < kColumns ? p.columns - first : kColumns;
    for (int r = 0; r < p.rows; ++r) {
      float* out = p.out + r * p.out_row + first;
      if (columns == kColumns) {
        simd::store<Arch>(out, sums[r][0]);
        simd::store<Arch>(out + kLanes, sums[r][1]);
        continue;
      }
      float spilled[kColumns];
      simd::store<Arch>(spilled, sums[r][0]);
      simd::store<Arch>(spilled + kLanes, sums[r][1]);
      simd::copy_first<Arch>(spilled, columns, out);
    }
  }
}

/// Contract in plane_rows.hpp.
template <class Arch>
[[gnu::noinline]] void plane_copy(const PlaneCopy& p) noexcept {
  constexpr int kLanes = simd::kLanes<Arch>;
  CONV2D_DCHECK(p.rows >= 0 && p.top >= 0 && p.top + p.rows <= p.to_rows);
  CONV2D_DCHECK(p.columns >= 0 && p.left >= 0 && p.left + p.columns <= p.pitch);
  const auto zeros = simd::broadcast<Arch>(0.0F);
  const std::ptrdiff_t floats = p.to_rows * p.pitch;
  std::ptrdiff_t t = 0;
  for (; t + kLanes <= floats; t += kLanes) simd::store<Arch>(p.to + t, zeros);
  for (; t < floats; ++t) p.to[t] = 0.0F;
  for (std::ptrdiff_t r = 0; r < p.rows; ++r) {
    const float* from = p.from + r * p.from_row;
    float* to = p.to + (p.top + r) * p.pitch + p.left;
    std::ptrdiff_t j = 0;
    for (; j + kLanes <= p.columns; j += kLanes) simd::store<Arch>(to + j, simd::load<Arch>(from + j));
    for (; j < p.columns; ++j) to[j] = from[j];
  }
}

}  // namespace conv2d::micro_kernels
