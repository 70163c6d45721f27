#pragma once

#include <cstddef>
#include <type_traits>

#include "compiler/compiler.hpp"
#include "dcheck/dcheck.hpp"
#include "micro_kernels/clamp_impl.hpp"
#include "micro_kernels/depthwise_row.hpp"
#include "simd/batch.hpp"

namespace conv2d::micro_kernels {

/// Whether the kernels of `Arch` read memory in order, all channels of a few pixels at a time. It was faster with each
/// set of x86 (1x112x112x32 and 1x14x14x512: 0.85 to 0.89 of the time with AVX2, 0.81 with SSE2) and slower in Chromium
/// (1.3). NEON was not measured, nor was the portable set on a processor that needs it.
#if defined(CONV2D_X86_64)
template <class Arch>
inline constexpr bool kReadsInOrder =
    std::is_same_v<Arch, simd::Sse2> || std::is_same_v<Arch, simd::Avx2> || std::is_same_v<Arch, simd::Avx512>;
#else
template <class Arch>
inline constexpr bool kReadsInOrder = kSomeReadInOrder;
#endif

template <class Arch>
[[gnu::always_inline]] inline void check([[maybe_unused]] const TapSum& p) noexcept {
  CONV2D_DCHECK(p.channels >= 0 && p.channels % simd::kLanes<Arch> == 0 && p.pixels >= 0);
  CONV2D_DCHECK(kReadsInOrder<Arch> ? p.lines >= 0 : p.lines == 1 && !(p.before || p.after));
  CONV2D_DCHECK(p.channels == 0 || p.pixels == 0 || (p.cells.data && p.w && p.start && p.out));
}

template <class Arch, bool kTakesEdges>
[[gnu::always_inline]] inline void check([[maybe_unused]] const TapProducts& p) noexcept {
  CONV2D_DCHECK(kTakesEdges ? p.pixels > 0 || !(p.before || p.after) : !(p.before || p.after));
  CONV2D_DCHECK(p.channels >= 0 && p.channels % simd::kLanes<Arch> == 0 && p.lines >= 0 && p.pixels >= 0);
  CONV2D_DCHECK(p.channels == 0 || p.dw);
  CONV2D_DCHECK(p.channels == 0 || p.lines == 0 || p.pixels == 0 || (p.cells.data && p.dy));
}

/// Pixels or lines that are computed in order at a time: the factors of the taps are loaded again for each of these
/// blocks. Lines where they share cells, otherwise pixels of a line.
inline constexpr int kTapPixels = 4;
inline constexpr int kTapLines = 4;

/// Floats of a pixel with sums computed side by side. The cells of three columns and kTapLines lines and the
/// factors stay in L1 (Zen 5, AVX-512 and AVX2: as fast as 256). With single registers, the pixels of 512 channels
/// share few sets of the L1 cache, and their lines are loaded from L2 for every tap.
inline constexpr std::int64_t kSumFloats = 128;

/// Puts the taps of each row into the order of their cells in memory. Returns whether the cell of a tap is also that of
/// the next tap for the pixel before: then it is loaded once for both.
template <class Arch, int kColumns>
[[gnu::always_inline]] inline bool order_taps(TapSum& p) noexcept {
  if (p.pixels == 0) return false;  // there may be no cells
  if (p.cells.column < 0) {
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
  CONV2D_OPAQUE(p);
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
    clamp_registers<Arch, kPixels>(p.clamp, sums);
#pragma GCC unroll 4
    for (int i = 0; i < kPixels; ++i) simd::store<Arch>(out + i * p.out_pixel + c, sums[i]);
  }
}

/// A pixel of kLines lines, with rows of cells `row` floats apart, and its columns kFirst to kEnd of taps. The
/// order of additions is that of tap_sum_of_pixels.
template <class Arch, int kRows, int kLines, int kFirst, int kEnd>
[[gnu::always_inline]] inline void tap_sum_of_lines(const TapSum& p, std::int64_t row, const float* x,
                                                    const float* start, float* out) noexcept {
  using simd::Floats;
  for (std::int64_t c = 0; c < p.channels; c += simd::kLanes<Arch>, start += p.start_lanes) {
    Floats<Arch> w[kRows][3];
    const float* w_row = p.w + c;
#pragma GCC unroll 3
    for (int r = 0; r < kRows; ++r) {
      w_row = opaque<Arch>(r == 0 ? w_row : w_row + p.w_row);
#pragma GCC unroll 3
      for (int q = kFirst; q < kEnd; ++q) w[r][q] = simd::load<Arch>(w_row + q * p.w_column);
    }
    Floats<Arch> sums[kLines];
    const float* from = start;
#pragma GCC unroll 4
    for (int i = 0; i < kLines; ++i) {
      from = opaque<Arch>(i == 0 ? from : from + p.start_line);
      sums[i] = simd::load<Arch>(from);
    }
    const float* cells = x + c;
#pragma GCC unroll 6
    for (int r = 0; r < kRows + kLines - 1; ++r) {
      cells = opaque<Arch>(r == 0 ? cells : cells + row);
#pragma GCC unroll 3
      for (int q = kFirst; q < kEnd; ++q) {
        const Floats<Arch> cell = simd::load<Arch>(cells + q * p.cells.column);
#pragma GCC unroll 4
        for (int i = 0; i < kLines; ++i) {
          if (r < i || r >= i + kRows) continue;
          sums[i] = simd::multiply_add<Arch>(cell, w[r - i][q], sums[i]);
        }
      }
    }
    clamp_registers<Arch, kLines>(p.clamp, sums);
    float* to = out + c;
#pragma GCC unroll 4
    for (int i = 0; i < kLines; ++i) {
      to = i == 0 ? to : to + p.out_line;
      asm("" : "+r"(to));
      simd::store<Arch>(to, sums[i]);
    }
  }
}

/// The sums of all lines, for the channels of `p`.
template <class Arch, int kRows, int kColumns, bool kShared>
[[gnu::always_inline]] inline void tap_sum_of_channels(const TapSum& p) noexcept {
  const float *x_line = p.cells.data, *start_line = p.start;
  float* out_line = p.out;
  const auto lines = [&](auto count) noexcept {
    constexpr int kLines = static_cast<int>(decltype(count)());
    const float *x = x_line, *start = start_line;
    float* out = out_line;
    const auto step = [&](std::int64_t pixels) noexcept {
      x += pixels * p.cells.pixel;
      start += pixels * p.start_pixel;
      out += pixels * p.out_pixel;
    };
    if constexpr (kColumns == 3) {
      if (p.before) {
        tap_sum_of_lines<Arch, kRows, kLines, 1, 3>(p, p.cells.row, x - p.cells.pixel, start - p.start_pixel,
                                                    out - p.out_pixel);
      }
    }
    std::int64_t left = p.pixels;
    if constexpr (kLines == 1) {
      for (; left >= kTapPixels; left -= kTapPixels) {
        tap_sum_of_pixels<Arch, kRows, kColumns, kTapPixels, kShared>(p, x, start, out);
        step(kTapPixels);
      }
    }
    for (; left > 0; --left) {
      tap_sum_of_lines<Arch, kRows, kLines, 0, kColumns>(p, p.cells.row, x, start, out);
      step(1);
    }
    if constexpr (kColumns == 3) {
      if (p.after) tap_sum_of_lines<Arch, kRows, kLines, 0, 2>(p, p.cells.row, x, start, out);
    }
    x_line += count * p.cells_line;
    start_line += count * p.start_line;
    out_line += count * p.out_line;
  };
  std::int64_t left = p.lines;
  if constexpr (kRows > 1) {
    if (p.cells.row == p.cells_line) {
      for (; left >= kTapLines; left -= kTapLines) lines(simd::Constant<kTapLines>());
    }
  }
  for (; left > 0; --left) lines(simd::Constant<1>());
}

/// As tap_sum, by blocks of channels. `p` is a copy: for all that the compiler knows, a store could change the
/// caller's.
template <class Arch, int kRows, int kColumns, bool kShared>
[[gnu::always_inline]] inline void tap_sum_by_channels(TapSum p) noexcept {
  for (std::int64_t left = p.channels; left > 0; left -= kSumFloats) {
    p.channels = left < kSumFloats ? left : kSumFloats;
    tap_sum_of_channels<Arch, kRows, kColumns, kShared>(p);
    p.cells.data += kSumFloats;
    p.w += kSumFloats;
    p.start += kSumFloats / simd::kLanes<Arch> * p.start_lanes;
    p.out += kSumFloats;
  }
}

/// Contract in depthwise_row.hpp, where kReadsInOrder.
template <class Arch, int kRows, int kColumns>
[[gnu::noinline]] void tap_sum_in_order(const TapSum& given) noexcept {
  check<Arch>(given);
  TapSum p = given;
  if (p.pixels == 0 || p.lines == 0) return;  // there may be no cells
  const bool is_shared = order_taps<Arch, kColumns>(p);
  if (p.cells.row < 0) {
    p.cells.data += (kRows - 1) * p.cells.row;
    p.w += (kRows - 1) * p.w_row;
    p.cells.row = -p.cells.row;
    p.w_row = -p.w_row;
  }
  if (is_shared) return tap_sum_by_channels<Arch, kRows, kColumns, true>(p);
  tap_sum_by_channels<Arch, kRows, kColumns, false>(p);
}

/// A register of channels of a TapSum with shared cells. `row` is at the first column of each row. Each column of cells
/// is loaded once: it completes the sum of one pixel, and the next two have it, too (Chromium, 1x112x112x32 and
/// 1x14x14x512: 0.83 to 0.90 of the time of three columns per pixel).
template <class Arch, int kRows>
[[gnu::always_inline]] inline void tap_sum_by_columns(const float* const (&row)[kRows], std::ptrdiff_t pixel,
                                                      const simd::Floats<Arch> (&w)[kRows][3], const float* start,
                                                      std::ptrdiff_t start_pixel, float* out, std::ptrdiff_t out_pixel,
                                                      std::ptrdiff_t pixels, const Clamp* clamp) noexcept {
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
    all = all + simd::load<Arch>(start);
    clamp_registers<Arch, 1>(clamp, &all);
    simd::store<Arch>(out, all);
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
        tap_sum_by_columns<Arch>(x, pixel, w, start, start_pixel, out, out_pixel, pixels, p.clamp);
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
      clamp_registers<Arch, 1>(p.clamp, &sum);
      simd::store<Arch>(out, sum);
      start += start_pixel;
      out += out_pixel;
    }
  }
}

}  // namespace conv2d::micro_kernels
