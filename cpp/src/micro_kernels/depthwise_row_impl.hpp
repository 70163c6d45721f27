#pragma once

#include <cstddef>

#include "check/check.hpp"
#include "micro_kernels/depthwise_row.hpp"
#include "simd/batch.hpp"

namespace conv2d::micro_kernels {

/// Contract in depthwise_row.hpp. Never inlined, for the reason given at window_tile.
template <class Arch, int kRows, int kColumns>
[[gnu::noinline]] void tap_sum(const TapSum& p) noexcept {
  using simd::Floats;
  constexpr int kLanes = simd::kLanes<Arch>;
  CONV2D_DCHECK(p.channels >= 0 && p.channels % kLanes == 0 && p.pixels >= 0);
  CONV2D_DCHECK(p.channels == 0 || p.pixels == 0 || (p.cells.data && p.w && p.start && p.out));
  // Copied to local variables: for all that the compiler knows, a store could change what `p` refers to.
  const auto column = static_cast<std::ptrdiff_t>(p.cells.column), pixel = static_cast<std::ptrdiff_t>(p.cells.pixel);
  const auto start_pixel = static_cast<std::ptrdiff_t>(p.start_pixel);
  const auto out_pixel = static_cast<std::ptrdiff_t>(p.out_pixel);
  const auto pixels = static_cast<std::ptrdiff_t>(p.pixels);
  const float* start_lanes = p.start;
  for (std::int64_t c = 0; c < p.channels; c += kLanes, start_lanes += p.start_lanes) {
    Floats<Arch> w[kRows][kColumns];
    const float* x[kRows];
#pragma GCC unroll 3
    for (int r = 0; r < kRows; ++r) {
      x[r] = p.cells.data + r * p.cells.row + c;
#pragma GCC unroll 3
      for (int q = 0; q < kColumns; ++q) w[r][q] = simd::load<Arch>(p.w + r * p.w_row + q * p.w_column + c);
    }
    const float* start = start_lanes;
    float* out = p.out + c;
    for (std::ptrdiff_t j = pixels; j > 0; --j) {
      // One chain of additions per row of taps: in a single chain, each of the nine multiply-adds would wait for the
      // one before it.
      Floats<Arch> sums[kRows];
#pragma GCC unroll 3
      for (int r = 0; r < kRows; ++r) {
        sums[r] = r == 0 ? simd::load<Arch>(start) : simd::broadcast<Arch>(0.0F);
#pragma GCC unroll 3
        for (int q = 0; q < kColumns; ++q) {
          sums[r] = simd::multiply_add<Arch>(simd::load<Arch>(x[r] + q * column), w[r][q], sums[r]);
        }
        x[r] += pixel;
      }
      Floats<Arch> sum = sums[0];
#pragma GCC unroll 3
      for (int r = 1; r < kRows; ++r) sum = sum + sums[r];
      simd::store<Arch>(out, sum);
      start += start_pixel;
      out += out_pixel;
    }
  }
}

/// Contract in depthwise_row.hpp. Never inlined, for the reason given at window_tile.
template <class Arch>
[[gnu::noinline]] void tap_block(const TapBlock& p) noexcept {
  using simd::Floats;
  constexpr int kLanes = simd::kLanes<Arch>;
  CONV2D_DCHECK(p.rows >= 0 && p.pixels >= 0 && p.w && p.start);
  CONV2D_DCHECK(p.rows == 0 || p.pixels == 0 || (p.cells && p.out));
  const auto pixel = static_cast<std::ptrdiff_t>(p.pixel), out_pixel = static_cast<std::ptrdiff_t>(p.out_pixel);
  const auto pixels = static_cast<std::ptrdiff_t>(p.pixels);
  for (std::int64_t i = 0; i < p.rows; ++i) {
    for (int c = 0; c < kTapBlock; c += kLanes) {
      Floats<Arch> w[3][3];
      const float* x[3];
#pragma GCC unroll 3
      for (int r = 0; r < 3; ++r) {
        x[r] = p.cells + i * p.row_step + r * p.row + c;
#pragma GCC unroll 3
        for (int q = 0; q < 3; ++q) w[r][q] = simd::load<Arch>(p.w + r * p.w_row + q * p.w_column + c);
      }
      const float* start = p.start + c;
      float* out = p.out + i * p.out_row + c;
      for (std::ptrdiff_t j = pixels; j > 0; --j) {
        Floats<Arch> sums[3];
#pragma GCC unroll 3
        for (int r = 0; r < 3; ++r) {
          sums[r] = r == 0 ? simd::load<Arch>(start) : simd::broadcast<Arch>(0.0F);
#pragma GCC unroll 3
          for (int q = 0; q < 3; ++q) {
            sums[r] = simd::multiply_add<Arch>(simd::load<Arch>(x[r] + q * kTapBlock), w[r][q], sums[r]);
          }
          x[r] += pixel;
        }
        simd::store<Arch>(out, sums[0] + sums[1] + sums[2]);
        out += out_pixel;
      }
    }
  }
}

/// Contract in depthwise_row.hpp. Never inlined, for the reason given at window_tile.
template <class Arch, int kRows, int kColumns>
[[gnu::noinline]] void tap_products(const TapProducts& p) noexcept {
  using simd::Floats;
  constexpr int kLanes = simd::kLanes<Arch>;
  CONV2D_DCHECK(p.channels >= 0 && p.channels % kLanes == 0 && p.lines >= 0 && p.pixels >= 0);
  CONV2D_DCHECK(p.channels == 0 || p.dw);
  CONV2D_DCHECK(p.channels == 0 || p.lines == 0 || p.pixels == 0 || (p.cells.data && p.dy));
  for (std::int64_t c = 0; c < p.channels; c += kLanes) {
    Floats<Arch> sums[kRows][kColumns];
#pragma GCC unroll 3
    for (int r = 0; r < kRows; ++r) {
#pragma GCC unroll 3
      for (int q = 0; q < kColumns; ++q) sums[r][q] = simd::load<Arch>(p.dw + r * p.dw_row + q * p.dw_column + c);
    }
    for (std::int64_t i = 0; i < p.lines; ++i) {
      const float* x[kRows];
#pragma GCC unroll 3
      for (int r = 0; r < kRows; ++r) x[r] = p.cells.data + i * p.cells_line + r * p.cells.row + c;
      const float* dy = p.dy + i * p.dy_line + c;
      for (std::int64_t j = p.pixels; j > 0; --j) {
        const Floats<Arch> factor = simd::load<Arch>(dy);
#pragma GCC unroll 3
        for (int r = 0; r < kRows; ++r) {
#pragma GCC unroll 3
          for (int q = 0; q < kColumns; ++q) {
            sums[r][q] = simd::multiply_add<Arch>(simd::load<Arch>(x[r] + q * p.cells.column), factor, sums[r][q]);
          }
          x[r] += p.cells.pixel;
        }
        dy += p.dy_pixel;
      }
    }
#pragma GCC unroll 3
    for (int r = 0; r < kRows; ++r) {
#pragma GCC unroll 3
      for (int q = 0; q < kColumns; ++q) simd::store<Arch>(p.dw + r * p.dw_row + q * p.dw_column + c, sums[r][q]);
    }
  }
}

template <class Arch, int kRows, int kColumns>
constexpr TapKernels make_tap_kernels() {
  return {.rows = kRows,
          .columns = kColumns,
          .sum = tap_sum<Arch, kRows, kColumns>,
          .products = tap_products<Arch, kRows, kColumns>};
}

}  // namespace conv2d::micro_kernels
