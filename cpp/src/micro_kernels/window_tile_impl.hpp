#pragma once

#include <cstddef>
#include <cstring>

#include "dcheck/dcheck.hpp"
#include "micro_kernels/clamp_impl.hpp"
#include "micro_kernels/window_tile.hpp"
#include "simd/batch.hpp"

namespace conv2d::micro_kernels {

// How the micro-kernels unroll their reductions. Plain unrolling is slow in WebAssembly: LLVM moves all loads ahead of
// their multiply-adds, V8 keeps that order, runs out of registers and spills sums (31 to 38 GFLOP/s in Chromium 156).
// Here every step ends with a test for the last step, which keeps the steps apart and costs one instruction. Moving
// the addresses and V8's interrupt check cost ten. A tile of 6 x 2 registers that is not unrolled has 33 instructions
// for 12 multiply-adds and reaches 49 GFLOP/s, but 30 when another thread shares the core and takes half of its issue
// slots; unrolled it has 24 instructions and reaches 50 and 41.

/// Row r of a tile is at windows[r] + at.
struct RowsAt {
  const float* const* windows;
  std::ptrdiff_t at;

  [[gnu::always_inline]] const float* operator[](int r) const noexcept { return windows[r] + at; }
};

/// Steps that a tile of AVX-512 takes at a time: as many as its registers hold weights for.
template <int kVectors>
inline constexpr int kStepsAtOnce = kVectors == 1 ? 8 : 2;

/// The loops over the spans of a tile's windows, in steps of kA floats of each window and kB of the weights: calls
/// step(RowsAt, b, count) for `count` steps, a constant. Like every function that the kernels call, it is always
/// inlined or a template over Arch: otherwise one copy, compiled for one instruction set, could serve another.
///
/// kByOffset: kSteps at a time, then one by one. One offset moves in place of the pointers of all rows, which do not
/// fit into the registers of addresses of AVX-512 (Intel: 32 x 32 x 16 with 16 filters in 0.8 of the time). Otherwise
/// the pointers move after kSteps steps.
template <class Arch, int kRows, int kA, int kB, int kSteps, bool kByOffset, class Step>
[[gnu::always_inline]] inline void for_each_step(const WindowSpans& spans, const float* const* windows, const float* b,
                                                 Step step) noexcept {
  CONV2D_DCHECK(spans.rows >= 1 && spans.cols >= 1 && spans.length >= 1 && spans.length % kA == 0);
  const std::ptrdiff_t steps = spans.length / kA;
  const std::ptrdiff_t moved = kByOffset ? steps : (steps - 1) / kSteps * kSteps;  // within a span
  const std::ptrdiff_t to_next_col = spans.col_a - moved * kA, to_next_row = spans.row_a - spans.cols * spans.col_a;
  const std::ptrdiff_t to_next_row_b = spans.row_b - spans.cols * steps * kB;
  const float* a[kRows];
#pragma GCC unroll 16
  for (int r = 0; r < kRows; ++r) a[r] = kByOffset ? nullptr : windows[r] + spans.first_a;
  std::ptrdiff_t at = spans.first_a;
  const auto move = [&](std::ptrdiff_t floats) noexcept {
    if constexpr (kByOffset) {
      at += floats;
    } else {
#pragma GCC unroll 16
      for (int r = 0; r < kRows; ++r) a[r] += floats;
    }
  };
  std::ptrdiff_t row = spans.rows;
  do {
    std::ptrdiff_t col = spans.cols;
    do {
      std::ptrdiff_t left = steps;
      if constexpr (kByOffset) {
        for (; left >= kSteps; left -= kSteps) {
          step(RowsAt{windows, at}, b, simd::Constant<kSteps>());
          move(kSteps * kA);
          b += kSteps * kB;
        }
        for (; left > 0; --left) {
          step(RowsAt{windows, at}, b, simd::Constant<1>());
          move(kA);
          b += kB;
        }
      } else {
        for (bool is_last = false;; left -= kSteps) {
#pragma GCC unroll 16
          for (int u = 0; u < kSteps; ++u) {
            step(RowsAt{a, u * kA}, b + u * kB, simd::Constant<1>());
            is_last = left == u + 1;
            if (is_last) break;
          }
          if (is_last) break;
          move(kSteps * kA);
          b += kSteps * kB;
        }
        b += left * kB;
      }
      move(to_next_col);
    } while (--col > 0);
    move(to_next_row);
    b += to_next_row_b;
  } while (--row > 0);
}

/// Contract in window_tile.hpp. Never inlined: V8 does not replace a loop that is already running, so a kernel inlined
/// into a caller that runs once would stay in the code of the baseline compiler, which is 4 times slower.
template <class Arch, int kRows, int kVectors>
[[gnu::noinline]] void window_tile(const WindowTile& tile) noexcept {
  using simd::Floats;
  constexpr int kLanes = simd::kLanes<Arch>;
  constexpr int kColumns = kVectors * kLanes;
  constexpr bool kByOffset = kVectors <= 2 && simd::kHasAvx512<Arch>;
  constexpr int kSteps = kByOffset ? kStepsAtOnce<kVectors> : 3;

  CONV2D_DCHECK(tile.windows && tile.out && tile.b && tile.start && tile.rows >= kRows);
  CONV2D_DCHECK(tile.columns >= 1 && tile.columns <= kColumns);

  for (std::ptrdiff_t next = 0; next < tile.rows; next += kRows) {
    // The last tile computes some rows again: a tile of fewer rows would wait for each multiply-add.
    const std::ptrdiff_t first = next + kRows <= tile.rows ? next : tile.rows - kRows;
    const float* const* windows = tile.windows + first;
    float* const* out_of = tile.out + first;
    Floats<Arch> sums[kRows][kVectors];
    const float* start = tile.start + first * tile.start_row;
#pragma GCC unroll 16
    for (int r = 0; r < kRows; ++r, start += tile.start_row) {
#pragma GCC unroll 16
      for (int v = 0; v < kVectors; ++v) sums[r][v] = simd::load<Arch>(start + v * kLanes);
    }

    for_each_step<Arch, kRows, 1, kColumns, kSteps, kByOffset>(
        tile.spans, windows, tile.b, [&](const RowsAt& a, const float* b, auto count) noexcept {
          constexpr int kCount = decltype(count)();
          Floats<Arch> b_rows[kCount][kVectors];
#pragma GCC unroll 16
          for (int u = 0; u < kCount; ++u) {
#pragma GCC unroll 16
            for (int v = 0; v < kVectors; ++v) b_rows[u][v] = simd::load<Arch>(b + u * kColumns + v * kLanes);
          }
      // The multiply-adds of a row wait for each other. With one register that is slower when another thread shares
      // the core (Intel, 32 x 32 x 16 with 16 filters: 1.1 times the time), with two registers it saves addresses.
#pragma GCC unroll 128
          for (int t = 0; t < kRows * kCount; ++t) {
            const int r = kVectors == 1 ? t % kRows : t / kCount, u = kVectors == 1 ? t / kRows : t % kCount;
            const Floats<Arch> value = simd::broadcast<Arch>(a[r][u]);
#pragma GCC unroll 16
            for (int v = 0; v < kVectors; ++v) sums[r][v] = simd::multiply_add<Arch>(value, b_rows[u][v], sums[r][v]);
          }
        });

    clamp_registers<Arch, kRows * kVectors>(tile.clamp, &sums[0][0]);
    if (tile.columns == kColumns) {
#pragma GCC unroll 16
      for (int r = 0; r < kRows; ++r) {
        float* out = out_of[r] + tile.first_out;
#pragma GCC unroll 16
        for (int v = 0; v < kVectors; ++v) simd::store<Arch>(out + v * kLanes, sums[r][v]);
      }
      continue;
    }
    if constexpr (simd::kHasAvx512<Arch>) {
#pragma GCC unroll 16
      for (int v = 0; v < kVectors; ++v) {
        const std::ptrdiff_t left = tile.columns - v * kLanes;
        const std::ptrdiff_t columns = left < 0 ? 0 : left < kLanes ? left : kLanes;
#pragma GCC unroll 16
        for (int r = 0; r < kRows; ++r) {
          simd::store_first<Arch>(out_of[r] + tile.first_out + v * kLanes, columns, sums[r][v]);
        }
      }
    } else {
      // A partial panel goes through memory, since no float outside the columns may be touched.
      float spilled[kRows * kColumns];
#pragma GCC unroll 16
      for (int r = 0; r < kRows; ++r) {
#pragma GCC unroll 16
        for (int v = 0; v < kVectors; ++v) simd::store<Arch>(spilled + r * kColumns + v * kLanes, sums[r][v]);
      }
      for (int r = 0; r < kRows; ++r) {
        simd::copy_first<Arch>(spilled + r * kColumns, tile.columns, out_of[r] + tile.first_out);
      }
    }
  }
}

/// Contract in window_tile.hpp.
template <class Arch, int kRows, int kColumns>
[[gnu::noinline]] void dot_tile(const DotTile& tile) noexcept {
  using simd::Floats;
  constexpr int kLanes = simd::kLanes<Arch>;

  CONV2D_DCHECK(tile.windows && tile.out && tile.b && tile.start && tile.rows >= kRows);

  for (std::ptrdiff_t next = 0; next < tile.rows; next += kRows) {
    const std::ptrdiff_t first = next + kRows <= tile.rows ? next : tile.rows - kRows;
    const float* const* windows = tile.windows + first;
    float* const* out_of = tile.out + first;
    Floats<Arch> sums[kRows][kColumns];
#pragma GCC unroll 16
    for (int r = 0; r < kRows; ++r) {
#pragma GCC unroll 16
      for (int j = 0; j < kColumns; ++j) sums[r][j] = simd::load<Arch>(tile.start + j * kLanes);
    }

    for_each_step<Arch, kRows, kLanes, kColumns * kLanes, 4, false>(
        tile.spans, windows, tile.b, [&](const RowsAt& a, const float* b, auto) noexcept {
          Floats<Arch> b_values[kColumns];
#pragma GCC unroll 16
          for (int j = 0; j < kColumns; ++j) b_values[j] = simd::load<Arch>(b + j * kLanes);
#pragma GCC unroll 16
          for (int r = 0; r < kRows; ++r) {
            const Floats<Arch> a_values = simd::load<Arch>(a[r]);
#pragma GCC unroll 16
            for (int j = 0; j < kColumns; ++j) sums[r][j] = simd::multiply_add<Arch>(a_values, b_values[j], sums[r][j]);
          }
        });

    // sums() returns four at a time. With three columns, one row at a time, so that no row is read across two stores.
    constexpr int kAtOnce = 4 % kColumns == 0 ? kRows : 1;
#pragma GCC unroll 16
    for (int from = 0; from < kRows; from += kAtOnce) {
      float columns[kAtOnce * kColumns];
      simd::sums<Arch, kAtOnce * kColumns>(&sums[from][0], columns);
      if constexpr (kClampsTiles<Arch>) {
        if (tile.clamp) clamp_floats<Arch>(*tile.clamp, columns, kAtOnce * kColumns);
      }
#pragma GCC unroll 16
      for (int r = 0; r < kAtOnce; ++r) {
        std::memcpy(out_of[from + r] + tile.first_out, columns + r * kColumns, kColumns * sizeof(float));
      }
    }
  }
}

}  // namespace conv2d::micro_kernels
