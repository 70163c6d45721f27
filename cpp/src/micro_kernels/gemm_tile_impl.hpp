#pragma once

#include "check/check.hpp"
#include "micro_kernels/gemm_tile.hpp"
#include "micro_kernels/reduction.hpp"
#include "simd/batch.hpp"

namespace conv2d::micro_kernels {

/// Contract in gemm_tile.hpp. Never inlined: V8 does not replace a loop that is already running, so a kernel inlined
/// into a caller that runs once would stay in the code of the baseline compiler, which is 4 times slower.
template <class Arch, int kRows, int kVectors>
[[gnu::noinline]] void gemm_tile(const GemmTile& tile) noexcept {
  using simd::Floats;
  constexpr int kLanes = simd::kLanes<Arch>;
  constexpr int kColumns = kVectors * kLanes;
  constexpr int kSteps = 4;
  CONV2D_DCHECK(tile.k >= 0 && (tile.k == 0 || (tile.a && tile.b)));
  CONV2D_DCHECK(tile.m >= 1 && tile.m <= kRows && tile.n >= 1 && tile.n <= kColumns && tile.c);

  Floats<Arch> sums[kRows][kVectors];
#pragma GCC unroll 16
  for (int r = 0; r < kRows; ++r) {
#pragma GCC unroll 16
    for (int v = 0; v < kVectors; ++v) sums[r][v] = simd::broadcast<Arch>(0.0F);
  }

  const float* a = tile.a;
  const float* b = tile.b;
  const auto step = [&](auto u) {
    Floats<Arch> b_row[kVectors];
#pragma GCC unroll 16
    for (int v = 0; v < kVectors; ++v) b_row[v] = simd::load<Arch>(b + u * kColumns + v * kLanes);
#pragma GCC unroll 16
    for (int r = 0; r < kRows; ++r) {
      const Floats<Arch> a_value = simd::broadcast<Arch>(a[u * kRows + r]);
#pragma GCC unroll 16
      for (int v = 0; v < kVectors; ++v) sums[r][v] = simd::multiply_add<Arch>(a_value, b_row[v], sums[r][v]);
    }
  };
  if (tile.k > 0) {
    reduce<kSteps>(static_cast<std::ptrdiff_t>(tile.k), step, [&] {
      a += kSteps * kRows;
      b += kSteps * kColumns;
    });
  }

  if (tile.n == kColumns && tile.m == kRows) {
#pragma GCC unroll 16
    for (int r = 0; r < kRows; ++r) {
      float* c = tile.c + r * tile.ldc;
#pragma GCC unroll 16
      for (int v = 0; v < kVectors; ++v) {
        const Floats<Arch> sum = tile.accumulate ? sums[r][v] + simd::load<Arch>(c + v * kLanes) : sums[r][v];
        simd::store<Arch>(c + v * kLanes, sum);
      }
    }
    return;
  }
  // A partial tile goes through memory, since no float outside the tile may be touched.
  float spilled[kRows * kColumns];
#pragma GCC unroll 16
  for (int r = 0; r < kRows; ++r) {
#pragma GCC unroll 16
    for (int v = 0; v < kVectors; ++v) simd::store<Arch>(spilled + r * kColumns + v * kLanes, sums[r][v]);
  }
  for (std::int64_t r = 0; r < tile.m; ++r) {
    float* row = spilled + r * kColumns;
    float* c = tile.c + r * tile.ldc;
    if (tile.accumulate) {
      for (std::int64_t j = 0; j < tile.n; ++j) row[j] += c[j];
    }
    simd::copy_first<Arch>(row, static_cast<std::ptrdiff_t>(tile.n), c);
  }
}

}  // namespace conv2d::micro_kernels
