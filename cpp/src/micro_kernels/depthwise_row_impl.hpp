#pragma once

#include <cstddef>
#include <type_traits>

#include "dcheck/dcheck.hpp"
#include "micro_kernels/depthwise_row.hpp"
#include "simd/batch.hpp"

namespace conv2d::micro_kernels {

template <class Arch>
[[gnu::always_inline]] inline void check([[maybe_unused]] const TapSum& p) noexcept {
  CONV2D_DCHECK(p.channels >= 0 && p.channels % simd::kLanes<Arch> == 0 && p.pixels >= 0);
  CONV2D_DCHECK(p.channels == 0 || p.pixels == 0 || (p.cells.data && p.w && p.start && p.out));
}

template <class Arch>
[[gnu::always_inline]] inline void check([[maybe_unused]] const TapProducts& p) noexcept {
  CONV2D_DCHECK(p.channels >= 0 && p.channels % simd::kLanes<Arch> == 0 && p.lines >= 0 && p.pixels >= 0);
  CONV2D_DCHECK(p.channels == 0 || p.dw);
  CONV2D_DCHECK(p.channels == 0 || p.lines == 0 || p.pixels == 0 || (p.cells.data && p.dy));
}

/// Whether the kernels of `Arch` read memory in order, all channels of a few pixels at a time. It was faster with each
/// set of x86 (1x112x112x32 and 1x14x14x512: 0.85 to 0.89 of the time with AVX2, 0.81 with SSE2) and slower in Chromium
/// (1.3). NEON was not measured, nor was the portable set on a processor that needs it.
#if defined(__x86_64__)
template <class Arch>
inline constexpr bool kReadsInOrder =
    std::is_same_v<Arch, simd::Sse2> || std::is_same_v<Arch, simd::Avx2> || std::is_same_v<Arch, simd::Avx512>;
#else
template <class Arch>
inline constexpr bool kReadsInOrder = false;
#endif

/// Pixels that are computed in order at a time, for all channels: the factors of the taps are loaded again for each of
/// these blocks. With the registers of channels outside, the pixels of 512 channels share few sets of the L1 cache, and
/// their lines are loaded from L2 for every tap.
inline constexpr int kTapPixels = 4;

/// Puts the taps of each row into the order of their cells in memory. Returns whether the cell of a tap is also that of
/// the next tap for the pixel before: then it is loaded once for both.
template <class Arch, int kColumns>
[[gnu::always_inline]] inline bool order_taps(TapSum& p) noexcept {
  if (p.pixels == 0) return false;  // there may be no cells
  if (p.cells.column == -p.cells.pixel) {
    p.cells.data += (kColumns - 1) * p.cells.column;
    p.w += (kColumns - 1) * p.w_column;
    p.cells.column = -p.cells.column;
    p.w_column = -p.w_column;
  }
  return p.cells.column == p.cells.pixel;
}

/// Hides how a pointer was computed. Otherwise GCC computes the addresses of all cells and weights before the loop,
/// more than there are registers, and loads them from the stack in the loop (Intel, AVX-512 and AVX2, 3 x 3 taps: 0.79
/// to 0.96 of the time).
template <class Arch>
[[gnu::always_inline]] inline const float* opaque(const float* p) noexcept {
  asm("" : "+r"(p));
  return p;
}

/// The cells of a row of kColumns taps for kPixels pixels.
template <class Arch, int kColumns, int kPixels, bool kShared>
class RowOfCells {
 public:
  RowOfCells(const float* cells, std::ptrdiff_t column, std::ptrdiff_t pixel) noexcept
      : cells_(cells), column_(column), pixel_(pixel) {
    if constexpr (kShared) {
#pragma GCC unroll 6
      for (int i = 0; i < kPixels + kColumns - 1; ++i) loaded_[i] = simd::load<Arch>(cells + i * pixel);
    }
  }

  /// The cell of tap q for pixel i.
  [[gnu::always_inline]] simd::Floats<Arch> at(int q, int i) const noexcept {
    if constexpr (kShared) return loaded_[i + q];
    return simd::load<Arch>(cells_ + q * column_ + i * pixel_);
  }

 private:
  const float* cells_;
  std::ptrdiff_t column_, pixel_;
  simd::Floats<Arch> loaded_[kPixels + kColumns - 1];
};

/// kPixels pixels of a TapSum, `x`, `start` and `out` of the first.
template <class Arch, int kRows, int kColumns, int kPixels, bool kShared>
[[gnu::always_inline]] inline void tap_sum_of_pixels(const TapSum& p, const float* x, const float* start,
                                                     float* out) noexcept {
  using simd::Floats;
  for (std::int64_t c = 0; c < p.channels; c += simd::kLanes<Arch>, start += p.start_lanes) {
    Floats<Arch> sums[kPixels];
#pragma GCC unroll 4
    for (int i = 0; i < kPixels; ++i) sums[i] = simd::load<Arch>(start + i * p.start_pixel);
    const float* row = x + c;
    const float* w_row = p.w + c;
#pragma GCC unroll 3
    for (int r = 0; r < kRows; ++r) {
      row = opaque<Arch>(r == 0 ? row : row + p.cells.row);
      w_row = opaque<Arch>(r == 0 ? w_row : w_row + p.w_row);
      const RowOfCells<Arch, kColumns, kPixels, kShared> cells(row, p.cells.column, p.cells.pixel);
#pragma GCC unroll 3
      for (int q = 0; q < kColumns; ++q) {
        const Floats<Arch> factor = simd::load<Arch>(w_row + q * p.w_column);
#pragma GCC unroll 4
        for (int i = 0; i < kPixels; ++i) sums[i] = simd::multiply_add<Arch>(cells.at(q, i), factor, sums[i]);
      }
    }
#pragma GCC unroll 4
    for (int i = 0; i < kPixels; ++i) simd::store<Arch>(out + i * p.out_pixel + c, sums[i]);
  }
}

/// As tap_sum, by blocks of pixels. `p` is a copy: for all that the compiler knows, a store could change the caller's.
template <class Arch, int kRows, int kColumns, bool kShared>
[[gnu::always_inline]] inline void tap_sum_by_pixels(const TapSum p) noexcept {
  const float *x = p.cells.data, *start = p.start;
  float* out = p.out;
  const auto pixels = [&](auto count) noexcept {
    tap_sum_of_pixels<Arch, kRows, kColumns, static_cast<int>(decltype(count)()), kShared>(p, x, start, out);
    x += count * p.cells.pixel;
    start += count * p.start_pixel;
    out += count * p.out_pixel;
  };
  std::int64_t left = p.pixels;
  for (; left >= kTapPixels; left -= kTapPixels) pixels(simd::Constant<kTapPixels>());
  for (; left > 0; --left) pixels(simd::Constant<1>());
}

/// Contract in depthwise_row.hpp, where kReadsInOrder.
template <class Arch, int kRows, int kColumns>
[[gnu::noinline]] void tap_sum_in_order(const TapSum& p) noexcept {
  check<Arch>(p);
  TapSum in_order = p;
  if (order_taps<Arch, kColumns>(in_order)) return tap_sum_by_pixels<Arch, kRows, kColumns, true>(in_order);
  tap_sum_by_pixels<Arch, kRows, kColumns, false>(in_order);
}

/// A register of channels of a TapSum with shared cells. `row` is at the first column of each row. Each column of cells
/// is loaded once: it completes the sum of one pixel, and the next two have it, too (Chromium, 1x112x112x32 and
/// 1x14x14x512: 0.83 to 0.90 of the time of three columns per pixel).
template <class Arch, int kRows>
[[gnu::always_inline]] inline void tap_sum_by_columns(const float* const (&row)[kRows], std::ptrdiff_t pixel,
                                                      const simd::Floats<Arch> (&w)[kRows][3], const float* start,
                                                      std::ptrdiff_t start_pixel, float* out, std::ptrdiff_t out_pixel,
                                                      std::ptrdiff_t pixels) noexcept {
  using simd::Floats;
  const float* x[kRows];
  Floats<Arch> two_columns = simd::broadcast<Arch>(0.0F), one_column = two_columns;
#pragma GCC unroll 3
  for (int r = 0; r < kRows; ++r) x[r] = row[r];
  // The first two columns complete no sum.
  for (std::ptrdiff_t j = -2; j < pixels; ++j) {
    Floats<Arch> all = two_columns, first = simd::broadcast<Arch>(0.0F);
#pragma GCC unroll 3
    for (int r = 0; r < kRows; ++r) {
      const Floats<Arch> cell = simd::load<Arch>(x[r]);
      all = simd::multiply_add<Arch>(cell, w[r][2], all);
      one_column = simd::multiply_add<Arch>(cell, w[r][1], one_column);
      first = r == 0 ? cell * w[r][0] : simd::multiply_add<Arch>(cell, w[r][0], first);
      x[r] += pixel;
    }
    two_columns = one_column;
    one_column = first;
    if (j < 0) continue;
    simd::store<Arch>(out, all + simd::load<Arch>(start));
    start += start_pixel;
    out += out_pixel;
  }
}

/// Contract in depthwise_row.hpp. Never inlined, for the reason given at window_tile.
template <class Arch, int kRows, int kColumns>
[[gnu::noinline]] void tap_sum(const TapSum& given) noexcept {
  using simd::Floats;
  constexpr int kLanes = simd::kLanes<Arch>;
  check<Arch>(given);
  // A copy: for all that the compiler knows, a store could change the caller's.
  TapSum p = given;
  bool by_columns = false;
  if constexpr (kRows == 3 && kColumns == 3) by_columns = order_taps<Arch, kColumns>(p);
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
    if constexpr (kRows == 3 && kColumns == 3) {
      if (by_columns) {
        tap_sum_by_columns<Arch>(x, pixel, w, start, start_pixel, out, out_pixel, pixels);
        continue;
      }
    }
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

/// The products of kPixels pixels of a line, `x` and `dy` of the first.
template <class Arch, int kRows, int kColumns, int kPixels, bool kShared>
[[gnu::always_inline]] inline void tap_products_of_pixels(const TapProducts& p, const float* x,
                                                          const float* dy) noexcept {
  using simd::Floats;
  for (std::int64_t c = 0; c < p.channels; c += simd::kLanes<Arch>) {
    Floats<Arch> factors[kPixels];
#pragma GCC unroll 4
    for (int i = 0; i < kPixels; ++i) factors[i] = simd::load<Arch>(dy + i * p.dy_pixel + c);
    const float* row = x + c;
#pragma GCC unroll 3
    for (int r = 0; r < kRows; ++r) {
      row = opaque<Arch>(r == 0 ? row : row + p.cells.row);
      const RowOfCells<Arch, kColumns, kPixels, kShared> cells(row, p.cells.column, p.cells.pixel);
#pragma GCC unroll 3
      for (int q = 0; q < kColumns; ++q) {
        float* const to = p.dw + r * p.dw_row + q * p.dw_column + c;
        Floats<Arch> sum = simd::load<Arch>(to);
#pragma GCC unroll 4
        for (int i = 0; i < kPixels; ++i) sum = simd::multiply_add<Arch>(cells.at(q, i), factors[i], sum);
        simd::store<Arch>(to, sum);
      }
    }
  }
}

/// As tap_products, by blocks of pixels.
template <class Arch, int kRows, int kColumns, bool kShared>
[[gnu::always_inline]] inline void tap_products_by_pixels(const TapProducts p) noexcept {
  for (std::int64_t i = 0; i < p.lines; ++i) {
    const float *x = p.cells.data + i * p.cells_line, *dy = p.dy + i * p.dy_line;
    const auto pixels = [&](auto count) noexcept {
      tap_products_of_pixels<Arch, kRows, kColumns, static_cast<int>(decltype(count)()), kShared>(p, x, dy);
      x += count * p.cells.pixel;
      dy += count * p.dy_pixel;
    };
    std::int64_t left = p.pixels;
    for (; left >= kTapPixels; left -= kTapPixels) pixels(simd::Constant<kTapPixels>());
    for (; left > 0; --left) pixels(simd::Constant<1>());
  }
}

/// Contract in depthwise_row.hpp, where kReadsInOrder.
template <class Arch, int kRows, int kColumns>
[[gnu::noinline]] void tap_products_in_order(const TapProducts& p) noexcept {
  check<Arch>(p);
  if (p.cells.column == p.cells.pixel) return tap_products_by_pixels<Arch, kRows, kColumns, true>(p);
  tap_products_by_pixels<Arch, kRows, kColumns, false>(p);
}

/// Contract in depthwise_row.hpp. Never inlined, for the reason given at window_tile.
template <class Arch, int kRows, int kColumns>
[[gnu::noinline]] void tap_products(const TapProducts& p) noexcept {
  using simd::Floats;
  constexpr int kLanes = simd::kLanes<Arch>;
  check<Arch>(p);
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
  if constexpr (kReadsInOrder<Arch>) {
    return {.rows = kRows,
            .columns = kColumns,
            .sum = tap_sum_in_order<Arch, kRows, kColumns>,
            .products = tap_products_in_order<Arch, kRows, kColumns>};
  } else {
    return {.rows = kRows,
            .columns = kColumns,
            .sum = tap_sum<Arch, kRows, kColumns>,
            .products = tap_products<Arch, kRows, kColumns>};
  }
}

}  // namespace conv2d::micro_kernels
