#pragma once

#include "dcheck/dcheck.hpp"
#include "micro_kernels/clamp_impl.hpp"
#include "micro_kernels/plane_rows.hpp"
#include "simd/batch.hpp"

namespace conv2d::micro_kernels {

/// The columns from `first` on, up to kVectors registers.
template <class Arch, int kVectors>
[[gnu::always_inline]] inline void plane_columns(const PlaneRows& p, std::ptrdiff_t first) noexcept {
  using simd::Floats;
  constexpr int kLanes = simd::kLanes<Arch>;
  constexpr int kColumns = kVectors * kLanes;
  // A second register without columns reads the cells of the first.
  const std::ptrdiff_t second = p.columns - first > kLanes ? kLanes : 0;
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
#pragma GCC unroll 16
        for (int v = 0; v < kVectors; ++v) {
          sums[r][v] = simd::multiply_add<Arch>(simd::load<Arch>(in[r] + tap + v * second), w, sums[r][v]);
        }
      }
    }
  }
  clamp_registers<Arch, kPlaneRows * kVectors>(p.clamp, &sums[0][0]);
  const std::ptrdiff_t columns = p.columns - first < kColumns ? p.columns - first : kColumns;
  for (int r = 0; r < p.rows; ++r) {
    float* out = p.out + r * p.out_row + first;
    if constexpr (simd::kHasAvx512<Arch>) {
#pragma GCC unroll 16
      for (int v = 0; v < kVectors; ++v) {
        const std::ptrdiff_t left = columns - v * kLanes;
        simd::store_first<Arch>(out + v * kLanes, left < 0 ? 0 : left < kLanes ? left : kLanes, sums[r][v]);
      }
    } else if (columns == kColumns) {
#pragma GCC unroll 16
      for (int v = 0; v < kVectors; ++v) simd::store<Arch>(out + v * kLanes, sums[r][v]);
    } else {
      float spilled[kColumns];
#pragma GCC unroll 16
      for (int v = 0; v < kVectors; ++v) simd::store<Arch>(spilled + v * kLanes, sums[r][v]);
      simd::copy_first<Arch>(spilled, columns, out);
    }
  }
}

/// Contract in plane_rows.hpp; never inlined, for the reason given at window_tile.
template <class Arch>
[[gnu::noinline]] void plane_rows(const PlaneRows& p) noexcept {
  constexpr int kLanes = simd::kLanes<Arch>;
  CONV2D_DCHECK(p.rows >= 1 && p.rows <= kPlaneRows && p.columns >= 0 && p.tap_rows >= 0 && p.tap_columns >= 0);
  CONV2D_DCHECK(p.columns == 0 || (p.in && p.w && p.out));
  for (std::ptrdiff_t first = 0; first < p.columns; first += 2 * kLanes) {
    if constexpr (kLanes > 4) {
      // Half of the work; four lanes are seldom enough to be worth the code.
      if (p.columns - first <= kLanes) return plane_columns<Arch, 1>(p, first);
    }
    // Eight sums hide the latency of two multiply-adds per cycle.
    plane_columns<Arch, 2>(p, first);
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
    simd::copy_first<Arch>(p.from + r * p.from_row, p.columns, p.to + (p.top + r) * p.pitch + p.left);
  }
}

}  // namespace conv2d::micro_kernels
