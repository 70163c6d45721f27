#pragma once

#include "dcheck/dcheck.hpp"
#include "micro_kernels/row_sums.hpp"
#include "simd/batch.hpp"

// Few columns are left over by the registers. Without the pragma, clang vectorizes their loops into more code than the
// rest of the kernel.
#if defined(__clang__)
#define CONV2D_ROLLED_LOOP _Pragma("clang loop vectorize(disable) unroll(disable)")
#else
#define CONV2D_ROLLED_LOOP
#endif

namespace conv2d::micro_kernels {

/// Columns [first, first + kVectors registers) of a ProductSum.
template <class Arch, int kVectors>
inline void product_sum_block(const ProductSum& p, std::int64_t first) noexcept {
  constexpr int kLanes = simd::kLanes<Arch>;
  simd::Floats<Arch> sums[kVectors];
#pragma GCC unroll 16
  for (int v = 0; v < kVectors; ++v) {
    sums[v] = p.start ? simd::load<Arch>(p.start + first + v * kLanes) : simd::broadcast<Arch>(0.0F);
  }
  for (std::int64_t t = 0; t < p.count; ++t) {
    const float* a = p.pairs[t].a + first;
    const float* b = p.pairs[t].b + first;
#pragma GCC unroll 16
    for (int v = 0; v < kVectors; ++v) {
      sums[v] = simd::multiply_add<Arch>(simd::load<Arch>(a + v * kLanes), simd::load<Arch>(b + v * kLanes), sums[v]);
    }
  }
#pragma GCC unroll 16
  for (int v = 0; v < kVectors; ++v) simd::store<Arch>(p.out + first + v * kLanes, sums[v]);
}

/// Contract in row_sums.hpp. Never inlined, for the reason given at window_tile.
template <class Arch>
[[gnu::noinline]] void product_sum(const ProductSum& p) noexcept {
  constexpr int kLanes = simd::kLanes<Arch>;
  CONV2D_DCHECK(p.count >= 0 && p.columns >= 0 && (p.columns == 0 || p.out) && (p.count == 0 || p.pairs));
  std::int64_t j = 0;
  // Four independent sums hide the latency of the multiply-add.
  for (; j + 4 * kLanes <= p.columns; j += 4 * kLanes) product_sum_block<Arch, 4>(p, j);
  for (; j + kLanes <= p.columns; j += kLanes) product_sum_block<Arch, 1>(p, j);
  CONV2D_ROLLED_LOOP
  for (; j < p.columns; ++j) {
    float sum = p.start ? p.start[j] : 0.0F;
    CONV2D_ROLLED_LOOP
    for (std::int64_t t = 0; t < p.count; ++t) sum += p.pairs[t].a[j] * p.pairs[t].b[j];
    p.out[j] = sum;
  }
}

/// Columns [first, first + kVectors registers) of a RowSum, with two sums per column, because each addition waits for
/// the one before it.
template <class Arch, int kVectors>
inline void row_sum_block(const RowSum& s, std::int64_t first) noexcept {
  constexpr int kLanes = simd::kLanes<Arch>;
  simd::Floats<Arch> even[kVectors];
  simd::Floats<Arch> odd[kVectors];
#pragma GCC unroll 16
  for (int v = 0; v < kVectors; ++v) even[v] = odd[v] = simd::broadcast<Arch>(0.0F);
  const float* row = s.rows + first;
  std::int64_t t = 0;
  for (; t + 2 <= s.count; t += 2) {
#pragma GCC unroll 16
    for (int v = 0; v < kVectors; ++v) {
      even[v] = even[v] + simd::load<Arch>(row + v * kLanes);
      odd[v] = odd[v] + simd::load<Arch>(row + s.row_stride + v * kLanes);
    }
    row += 2 * s.row_stride;
  }
#pragma GCC unroll 16
  for (int v = 0; v < kVectors; ++v) {
    if (t < s.count) even[v] = even[v] + simd::load<Arch>(row + v * kLanes);
    simd::store<Arch>(s.out + first + v * kLanes, even[v] + odd[v]);
  }
}

/// Contract in row_sums.hpp. Never inlined, for the reason given at window_tile.
template <class Arch>
[[gnu::noinline]] void row_sum(const RowSum& s) noexcept {
  constexpr int kLanes = simd::kLanes<Arch>;
  CONV2D_DCHECK(s.count >= 0 && s.columns >= 0 && (s.columns == 0 || s.out) && (s.count == 0 || s.rows));
  std::int64_t j = 0;
  for (; j + 4 * kLanes <= s.columns; j += 4 * kLanes) row_sum_block<Arch, 4>(s, j);
  for (; j + kLanes <= s.columns; j += kLanes) row_sum_block<Arch, 1>(s, j);
  CONV2D_ROLLED_LOOP
  for (; j < s.columns; ++j) {
    float sum = 0.0F;
    CONV2D_ROLLED_LOOP
    for (std::int64_t t = 0; t < s.count; ++t) sum += s.rows[t * s.row_stride + j];
    s.out[j] = sum;
  }
}

}  // namespace conv2d::micro_kernels

#undef CONV2D_ROLLED_LOOP
