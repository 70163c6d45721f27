#pragma once

#include "dcheck/dcheck.hpp"
#include "micro_kernels/outer_product.hpp"
#include "simd/batch.hpp"

namespace conv2d::micro_kernels {

/// Contract in outer_product.hpp. Never inlined, for the reason given at window_tile.
template <class Arch, int kRows, int kVectors, int kSpans = 1>
[[gnu::noinline]] void outer_product(const OuterProductTile& p) noexcept {
  using simd::Floats;
  constexpr int kLanes = simd::kLanes<Arch>;
  CONV2D_DCHECK(p.images.count >= 0 && p.lines.count >= 0 && p.pixels.count >= 0 && p.c);
  CONV2D_DCHECK(p.tiles >= 1);
  CONV2D_DCHECK(p.images.count == 0 || p.lines.count == 0 || p.pixels.count == 0 || (p.a && p.b));

  constexpr int kAllRows = kSpans * kRows;
  const auto span = static_cast<std::ptrdiff_t>(p.a_span);
  const float* a_tile = p.a;
  const float* b_tile = p.b;
  float* c_tile = p.c;
  for (std::int64_t t = p.tiles; t > 0; --t, a_tile += p.next_a, b_tile += p.next_b, c_tile += p.next_c) {
    Floats<Arch> sums[kAllRows][kVectors];
#pragma GCC unroll 32
    for (int r = 0; r < kAllRows; ++r) {
#pragma GCC unroll 16
      for (int v = 0; v < kVectors; ++v) {
        sums[r][v] =
            p.accumulate ? simd::load<Arch>(c_tile + r * p.row_stride + v * kLanes) : simd::broadcast<Arch>(0.0F);
      }
    }
    const float* a_image = a_tile;
    const float* b_image = b_tile;
    for (std::int64_t n = p.images.count; n > 0; --n, a_image += p.images.a_step, b_image += p.images.b_step) {
      const float* a_line = a_image;
      const float* b_line = b_image;
      for (std::int64_t i = p.lines.count; i > 0; --i, a_line += p.lines.a_step, b_line += p.lines.b_step) {
        const float* a = a_line;
        const float* b = b_line;
        for (std::int64_t j = p.pixels.count; j > 0; --j, a += p.pixels.a_step, b += p.pixels.b_step) {
          Floats<Arch> b_row[kVectors];
#pragma GCC unroll 16
          for (int v = 0; v < kVectors; ++v) b_row[v] = simd::load<Arch>(b + v * kLanes);
          const float* rows = a;
#pragma GCC unroll 4
          for (int s = 0; s < kSpans; ++s) {
            if (s > 0) {
              rows += span;
              asm("" : "+r"(rows));  // otherwise the compiler keeps an offset per row, more than there are registers
            }
#pragma GCC unroll 32
            for (int r = 0; r < kRows; ++r) {
              const Floats<Arch> a_value = simd::broadcast<Arch>(rows[r]);
              Floats<Arch>* const sum = sums[s * kRows + r];
#pragma GCC unroll 16
              for (int v = 0; v < kVectors; ++v) sum[v] = simd::multiply_add<Arch>(a_value, b_row[v], sum[v]);
            }
          }
        }
      }
    }

#pragma GCC unroll 32
    for (int r = 0; r < kAllRows; ++r) {
#pragma GCC unroll 16
      for (int v = 0; v < kVectors; ++v) simd::store<Arch>(c_tile + r * p.row_stride + v * kLanes, sums[r][v]);
    }
  }
}

}  // namespace conv2d::micro_kernels
