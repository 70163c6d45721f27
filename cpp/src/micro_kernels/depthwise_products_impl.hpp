#pragma once

#include <cstddef>

#include "micro_kernels/depthwise_row_impl.hpp"

/// The products of depthwise_row.hpp, and its kernels as a table.
namespace conv2d::micro_kernels {

/// Floats of a pixel with products added side by side: two lines of the cache, which the processor likes to load
/// together (Zen 5, 1x14x14x512: 0.7 of the time of one line).
inline constexpr int kProductFloats = 32;

/// Lines of pixels that are added at a time: each cell is loaded once for the lines that share it, in place of once for
/// each row of taps. It matters most where the pixels share few sets of the L1 cache.
inline constexpr int kProductLines = 4;

/// The sums of rows of 3 taps for some registers of channels.
template <class Arch, int kRows, int kRegisters>
using ProductSums = simd::Floats<Arch>[kRegisters][kRows][3];

/// Adds a pixel of kLines lines, with rows of cells `row` floats apart, at its columns kFirst to kEnd of taps.
template <class Arch, int kRows, int kRegisters, int kLines, int kFirst, int kEnd>
[[gnu::always_inline]] inline void add_products_of_pixel(ProductSums<Arch, kRows, kRegisters>& sums,
                                                         const TapProducts& p, std::int64_t row, const float* x,
                                                         const float* dy) noexcept {
  using simd::Floats;
#pragma GCC unroll 8
  for (int k = 0; k < kRegisters; ++k) {
    const std::ptrdiff_t channel = k * simd::kLanes<Arch>;
    Floats<Arch> factors[kLines];
    const float* factor = dy + channel;
#pragma GCC unroll 4
    for (int i = 0; i < kLines; ++i) {
      factor = opaque<Arch>(i == 0 ? factor : factor + p.dy_line);
      factors[i] = simd::load<Arch>(factor);
    }
    const float* cells = x + channel;
#pragma GCC unroll 6
    for (int r = 0; r < kRows + kLines - 1; ++r) {
      cells = opaque<Arch>(r == 0 ? cells : cells + row);
#pragma GCC unroll 3
      for (int q = kFirst; q < kEnd; ++q) {
        const Floats<Arch> cell = simd::load<Arch>(cells + q * p.cells.column);
#pragma GCC unroll 4
        for (int i = 0; i < kLines; ++i) {
          if (r < i || r >= i + kRows) continue;
          sums[k][r - i][q] = simd::multiply_add<Arch>(cell, factors[i], sums[k][r - i][q]);
        }
      }
    }
  }
}

/// Adds kLines lines, `x` and `dy` of the first.
template <class Arch, int kRows, int kRegisters, int kLines>
[[gnu::always_inline]] inline void add_products_of_lines(ProductSums<Arch, kRows, kRegisters>& sums,
                                                         const TapProducts& p, std::int64_t row, const float* x,
                                                         const float* dy) noexcept {
  if (p.before) {
    add_products_of_pixel<Arch, kRows, kRegisters, kLines, 1, 3>(sums, p, row, x - p.cells.pixel, dy - p.dy_pixel);
  }
  for (std::int64_t j = p.pixels; j > 0; --j, x += p.cells.pixel, dy += p.dy_pixel) {
    add_products_of_pixel<Arch, kRows, kRegisters, kLines, 0, 3>(sums, p, row, x, dy);
  }
  if (p.after) add_products_of_pixel<Arch, kRows, kRegisters, kLines, 0, 2>(sums, p, row, x, dy);
}

/// The products of kRegisters registers from channel c.
template <class Arch, int kRows, int kRegisters>
[[gnu::always_inline]] inline void tap_products_of_registers(const TapProducts& p, std::int64_t c) noexcept {
  const auto each_sum = [&](auto use) noexcept {
#pragma GCC unroll 8
    for (int k = 0; k < kRegisters; ++k) {
#pragma GCC unroll 3
      for (int r = 0; r < kRows; ++r) {
#pragma GCC unroll 3
        for (int q = 0; q < 3; ++q) {
          use(k, r, q, p.dw + r * p.dw_row + q * p.dw_column + c + k * simd::kLanes<Arch>);
        }
      }
    }
  };
  ProductSums<Arch, kRows, kRegisters> sums;
  each_sum([&](int k, int r, int q, const float* from) noexcept { sums[k][r][q] = simd::load<Arch>(from); });
  const float *x = p.cells.data + c, *dy = p.dy + c;
  // A row of taps shares no cells between lines.
  const std::int64_t row = kRows == 1 ? p.cells_line : p.cells.row;
  std::int64_t left = p.lines;
  if (row == p.cells_line) {
    for (; left >= kProductLines; left -= kProductLines) {
      add_products_of_lines<Arch, kRows, kRegisters, kProductLines>(sums, p, row, x, dy);
      x += kProductLines * p.cells_line;
      dy += kProductLines * p.dy_line;
    }
  }
  for (; left > 0; --left, x += p.cells_line, dy += p.dy_line) {
    add_products_of_lines<Arch, kRows, kRegisters, 1>(sums, p, row, x, dy);
  }
  each_sum([&](int k, int r, int q, float* to) noexcept { simd::store<Arch>(to, sums[k][r][q]); });
}

/// Contract in depthwise_row.hpp, where kReadsInOrder, for rows of 3 taps.
template <class Arch, int kRows, int kColumns>
[[gnu::noinline]] void tap_products_of_rows(const TapProducts& given) noexcept {
  static_assert(kColumns == 3);
  constexpr int kRegisters = kProductFloats / simd::kLanes<Arch>;
  check<Arch, true>(given);
  // A copy: for all that the compiler knows, a store could change the caller's.
  const TapProducts p = given;
  if (p.pixels == 0 || p.lines == 0) return;  // there may be no cells
  std::int64_t c = 0;
  for (; c + kProductFloats <= p.channels; c += kProductFloats)
    tap_products_of_registers<Arch, kRows, kRegisters>(p, c);
  for (; c < p.channels; c += simd::kLanes<Arch>) tap_products_of_registers<Arch, kRows, 1>(p, c);
}

/// The products of a single tap for kPixels pixels of a line, `x` and `dy` of the first.
template <class Arch, int kPixels>
[[gnu::always_inline]] inline void tap_product_of_pixels(const TapProducts& p, const float* x,
                                                         const float* dy) noexcept {
  for (std::int64_t c = 0; c < p.channels; c += simd::kLanes<Arch>) {
    simd::Floats<Arch> sum = simd::load<Arch>(p.dw + c);
#pragma GCC unroll 4
    for (int i = 0; i < kPixels; ++i) {
      sum = simd::multiply_add<Arch>(simd::load<Arch>(x + i * p.cells.pixel + c),
                                     simd::load<Arch>(dy + i * p.dy_pixel + c), sum);
    }
    simd::store<Arch>(p.dw + c, sum);
  }
}

/// Contract in depthwise_row.hpp, where kReadsInOrder, for a single tap: in order, all channels of a few pixels at a
/// time. Its one sum could not keep a processor busy.
template <class Arch>
[[gnu::noinline]] void tap_product_in_order(const TapProducts& given) noexcept {
  check<Arch, false>(given);
  const TapProducts p = given;
  for (std::int64_t i = 0; i < p.lines; ++i) {
    const float *x = p.cells.data + i * p.cells_line, *dy = p.dy + i * p.dy_line;
    const auto pixels = [&](auto count) noexcept {
      tap_product_of_pixels<Arch, static_cast<int>(decltype(count)())>(p, x, dy);
      x += count * p.cells.pixel;
      dy += count * p.dy_pixel;
    };
    std::int64_t left = p.pixels;
    for (; left >= kTapPixels; left -= kTapPixels) pixels(simd::Constant<kTapPixels>());
    for (; left > 0; --left) pixels(simd::Constant<1>());
  }
}

/// Contract in depthwise_row.hpp. Never inlined, for the reason given at window_tile.
template <class Arch, int kRows, int kColumns>
[[gnu::noinline]] void tap_products(const TapProducts& p) noexcept {
  using simd::Floats;
  constexpr int kLanes = simd::kLanes<Arch>;
  check<Arch, false>(p);
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
  TapKernels kernels{.rows = kRows, .columns = kColumns};
  if constexpr (!kReadsInOrder<Arch>) {
    kernels.sum = tap_sum<Arch, kRows, kColumns>;
    kernels.products = tap_products<Arch, kRows, kColumns>;
  } else {
    kernels.sum = tap_sum_in_order<Arch, kRows, kColumns>;
    if constexpr (kColumns == 3)
      kernels.products = tap_products_of_rows<Arch, kRows, kColumns>;
    else
      kernels.products = tap_product_in_order<Arch>;
  }
  return kernels;
}

}  // namespace conv2d::micro_kernels
