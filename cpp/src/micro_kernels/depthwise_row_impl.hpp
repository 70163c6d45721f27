#pragma once

#include <cstddef>

#include "check/check.hpp"
#include "micro_kernels/depthwise_row.hpp"
#include "simd/batch.hpp"

namespace conv2d::micro_kernels {

/// The sums of one register of channels for a row of pixels. Steps that the caller gives as constants take no
/// instruction. The arguments are as in TapSum.
template <class Arch, int kRows, int kColumns>
[[gnu::always_inline]] inline void sum_row(const float* cells, std::int64_t row, std::ptrdiff_t column,
                                           std::ptrdiff_t pixel, const float* weights, std::int64_t w_row,
                                           std::int64_t w_column, const float* start, std::ptrdiff_t start_pixel,
                                           float* out, std::ptrdiff_t out_pixel, std::ptrdiff_t pixels) noexcept {
  using simd::Floats;
  Floats<Arch> w[kRows][kColumns];
  const float* x[kRows];
#pragma GCC unroll 3
  for (int r = 0; r < kRows; ++r) {
    x[r] = cells + r * row;
#pragma GCC unroll 3
    for (int q = 0; q < kColumns; ++q) w[r][q] = simd::load<Arch>(weights + r * w_row + q * w_column);
  }
  for (std::ptrdiff_t j = pixels; j > 0; --j) {
    // One chain of additions per row of taps: in a single chain, each of the nine multiply-adds would wait for the one
    // before it.
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

/// Contract in depthwise_row.hpp. Never inlined, for the reason given at window_tile.
template <class Arch, int kRows, int kColumns>
[[gnu::noinline]] void tap_sum(const TapSum& p) noexcept {
  constexpr int kLanes = simd::kLanes<Arch>;
  CONV2D_DCHECK(p.channels >= 0 && p.channels % kLanes == 0 && p.pixels >= 0);
  CONV2D_DCHECK(p.channels == 0 || p.pixels == 0 || (p.cells.data && p.w && p.start && p.out));
  // Copied to local variables: for all that the compiler knows, a store could change what `p` refers to.
  const auto column = static_cast<std::ptrdiff_t>(p.cells.column), pixel = static_cast<std::ptrdiff_t>(p.cells.pixel);
  const auto start_pixel = static_cast<std::ptrdiff_t>(p.start_pixel);
  const auto out_pixel = static_cast<std::ptrdiff_t>(p.out_pixel);
  const auto pixels = static_cast<std::ptrdiff_t>(p.pixels);
  const float* start = p.start;
  for (std::int64_t c = 0; c < p.channels; c += kLanes, start += p.start_lanes) {
    sum_row<Arch, kRows, kColumns>(p.cells.data + c, p.cells.row, column, pixel, p.w + c, p.w_row, p.w_column, start,
                                   start_pixel, p.out + c, out_pixel, pixels);
  }
}

/// Contract in depthwise_row.hpp. Never inlined, for the reason given at window_tile.
template <class Arch>
[[gnu::noinline]] void tap_block(const TapBlock& p) noexcept {
  CONV2D_DCHECK(p.rows >= 0 && p.pixels >= 0 && p.w && p.start);
  CONV2D_DCHECK(p.rows == 0 || p.pixels == 0 || (p.cells && p.out));
  const auto pixel = static_cast<std::ptrdiff_t>(p.pixel), out_pixel = static_cast<std::ptrdiff_t>(p.out_pixel);
  const auto pixels = static_cast<std::ptrdiff_t>(p.pixels);
  for (std::int64_t i = 0; i < p.rows; ++i) {
    for (int c = 0; c < kTapBlock; c += simd::kLanes<Arch>) {
      sum_row<Arch, 3, 3>(p.cells + i * p.row_step + c, p.row, kTapBlock, pixel, p.w + c, p.w_row, p.w_column,
                          p.start + c, 0, p.out + i * p.out_row + c, out_pixel, pixels);
    }
  }
}

/// Contract in depthwise_row.hpp. Never inlined, for the reason given at window_tile.
template <class Arch, int kRows, int kColumns>
[[gnu::noinline]] void tap_products(const TapProducts& p) noexcept {
  using simd::Floats;
  constexpr int kLanes = simd::kLanes<Arch>;
  CONV2D_DCHECK(p.channels >= 0 && p.channels % kLanes == 0 && p.pixels >= 0 && (p.channels == 0 || p.dw));
  CONV2D_DCHECK(p.channels == 0 || p.pixels == 0 || (p.cells.data && p.dy));
  for (std::int64_t c = 0; c < p.channels; c += kLanes) {
    Floats<Arch> sums[kRows][kColumns];
    const float* x[kRows];
#pragma GCC unroll 3
    for (int r = 0; r < kRows; ++r) {
      x[r] = p.cells.data + r * p.cells.row + c;
#pragma GCC unroll 3
      for (int q = 0; q < kColumns; ++q) sums[r][q] = simd::load<Arch>(p.dw + r * p.dw_row + q * p.dw_column + c);
    }
    const float* dy = p.dy + c;
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
