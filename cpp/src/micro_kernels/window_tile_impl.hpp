#pragma once

#include <cstddef>
#include <cstring>

#include "dcheck/dcheck.hpp"
#include "micro_kernels/window_tile.hpp"
#include "simd/batch.hpp"

namespace conv2d::micro_kernels {

// How the micro-kernels unroll their reductions. Plain unrolling is slow in WebAssembly: LLVM moves all loads ahead of
// their multiply-adds, V8 keeps that order, runs out of registers and spills sums (31 to 38 GFLOP/s in Chromium 156).
// Here every step ends with a test for the last step, which keeps the steps apart and costs one instruction. Moving
// the addresses and V8's interrupt check cost ten. A tile of 6 x 2 registers that is not unrolled has 33 instructions
// for 12 multiply-adds and reaches 49 GFLOP/s, but 30 when another thread shares the core and takes half of its issue
// slots; unrolled it has 24 instructions and reaches 50 and 41.

/// The number of steps after the last advance() of reduce<kSteps> for `count` >= 1 steps: 1 .. kSteps. Like every
/// function that the kernels call, it is always inlined or a template over Arch: otherwise one copy, compiled for one
/// instruction set, could serve another.
template <int kSteps>
[[gnu::always_inline]] constexpr std::ptrdiff_t steps_left(std::ptrdiff_t count) noexcept {
  return (count - 1) % kSteps + 1;
}

/// Calls step(u) `count` >= 1 times, with u = 0 .. kSteps - 1 as a constant, and advance() before u starts from 0
/// again.
template <int kSteps, class Step, class Advance>
[[gnu::always_inline]] inline void reduce(std::ptrdiff_t count, Step step, Advance advance) noexcept {
  static_assert(kSteps >= 2 && kSteps <= 4);
  for (;;) {
    step(simd::Constant<0>());
    if (count == 1) return;
    step(simd::Constant<1>());
    if constexpr (kSteps > 2) {
      if (count == 2) return;
      step(simd::Constant<2>());
    }
    if constexpr (kSteps > 3) {
      if (count == 3) return;
      step(simd::Constant<3>());
    }
    if (count <= kSteps) return;
    count -= kSteps;
    advance();
  }
}

/// Loops over the spans of a tile's windows, `kA` floats of each window and `kB` of the weights per step. A template
/// over Arch, which it does not use, so that no instruction set gets the code of another.
template <class Arch, int kRows, int kSteps, int kA, int kB>
class SpanLoops {
 public:
  explicit SpanLoops(const WindowSpans& spans) noexcept
      : spans_(spans),
        steps_(spans.length / kA),
        left_(steps_left<kSteps>(steps_)),
        to_next_col_(spans.col_a - (steps_ - left_) * kA),
        to_next_row_(spans.row_a - spans.cols * spans.col_a),
        to_next_row_b_(spans.row_b - spans.cols * steps_ * kB) {
    CONV2D_DCHECK(spans.rows >= 1 && spans.cols >= 1 && spans.length >= 1 && spans.length % kA == 0);
  }

  /// Calls step(a, b, u) for every step: row r of the tile is at a[r] + u * kA, the weights at b + u * kB.
  template <class Step>
  [[gnu::always_inline]] void each(const float* const* windows, const float* b, Step step) const noexcept {
    const float* a[kRows];
#pragma GCC unroll 16
    for (int r = 0; r < kRows; ++r) a[r] = windows[r] + spans_.first_a;
    std::ptrdiff_t row = spans_.rows;
    do {
      std::ptrdiff_t col = spans_.cols;
      do {
        reduce<kSteps>(
            steps_, [&](auto u) noexcept { step(a, b, u); },
            [&]() noexcept {
#pragma GCC unroll 16
              for (int r = 0; r < kRows; ++r) a[r] += kSteps * kA;
              b += kSteps * kB;
            });
        b += left_ * kB;
#pragma GCC unroll 16
        for (int r = 0; r < kRows; ++r) a[r] += to_next_col_;
      } while (--col > 0);
      b += to_next_row_b_;
#pragma GCC unroll 16
      for (int r = 0; r < kRows; ++r) a[r] += to_next_row_;
    } while (--row > 0);
  }

 private:
  const WindowSpans& spans_;
  std::ptrdiff_t steps_, left_, to_next_col_, to_next_row_, to_next_row_b_;
};

/// Steps that a tile of AVX-512 takes at a time: as many as its registers hold weights for.
template <int kVectors>
inline constexpr int kStepsAtOnce = kVectors == 1 ? 8 : 2;

/// As SpanLoops with kA = 1, several steps at a time: calls steps(at, b, count), where row r of the tile is at
/// windows[r] + at, with count = kAtOnce, then with 1. One offset moves in place of the pointers of all rows, which do
/// not fit into the registers of addresses (Intel, AVX-512: 32 x 32 x 16 with 16 filters in 0.8 of the time).
template <class Arch, int kB, int kAtOnce, class Steps>
[[gnu::always_inline]] inline void each_by_offset(const WindowSpans& spans, const float* b, Steps steps) noexcept {
  CONV2D_DCHECK(spans.rows >= 1 && spans.cols >= 1 && spans.length >= 1);
  std::ptrdiff_t line = spans.first_a;
  const float* b_line = b;
  for (std::ptrdiff_t row = spans.rows; row > 0; --row) {
    std::ptrdiff_t cell = line;
    b = b_line;
    for (std::ptrdiff_t col = spans.cols; col > 0; --col) {
      std::ptrdiff_t at = cell, left = spans.length;
      for (; left >= kAtOnce; left -= kAtOnce) {
        steps(at, b, simd::Constant<kAtOnce>());
        at += kAtOnce;
        b += kAtOnce * kB;
      }
      for (; left > 0; --left) {
        steps(at, b, simd::Constant<1>());
        ++at;
        b += kB;
      }
      cell += spans.col_a;
    }
    line += spans.row_a;
    b_line += spans.row_b;
  }
}

/// Contract in window_tile.hpp. Never inlined: V8 does not replace a loop that is already running, so a kernel inlined
/// into a caller that runs once would stay in the code of the baseline compiler, which is 4 times slower.
template <class Arch, int kRows, int kVectors>
[[gnu::noinline]] void window_tile(const WindowTile& tile) noexcept {
  using simd::Floats;
  constexpr int kLanes = simd::kLanes<Arch>;
  constexpr int kColumns = kVectors * kLanes;

  CONV2D_DCHECK(tile.windows && tile.out && tile.b && tile.start && tile.rows >= kRows);
  CONV2D_DCHECK(tile.columns >= 1 && tile.columns <= kColumns);

  const SpanLoops<Arch, kRows, 3, 1, kColumns> loops(tile.spans);
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

    if constexpr (kVectors <= 2 && simd::kHasAvx512<Arch>) {
      const auto steps = [&](std::ptrdiff_t at, const float* b, auto count) noexcept {
        constexpr std::ptrdiff_t kCount = decltype(count)();
        Floats<Arch> b_rows[kCount][kVectors];
#pragma GCC unroll 16
        for (int u = 0; u < kCount; ++u) {
#pragma GCC unroll 16
          for (int v = 0; v < kVectors; ++v) b_rows[u][v] = simd::load<Arch>(b + u * kColumns + v * kLanes);
        }
        const auto multiply = [&](int r, int u) noexcept {
          const Floats<Arch> value = simd::broadcast<Arch>(windows[r][at + u]);
#pragma GCC unroll 16
          for (int v = 0; v < kVectors; ++v) sums[r][v] = simd::multiply_add<Arch>(value, b_rows[u][v], sums[r][v]);
        };
        // The multiply-adds of a row wait for each other. With one register that is slower when another thread shares
        // the core (Intel, 32 x 32 x 16 with 16 filters: 1.1 times the time), with two registers it saves addresses.
        if constexpr (kVectors == 1) {
#pragma GCC unroll 16
          for (int u = 0; u < kCount; ++u) {
#pragma GCC unroll 16
            for (int r = 0; r < kRows; ++r) multiply(r, u);
          }
        } else {
#pragma GCC unroll 16
          for (int r = 0; r < kRows; ++r) {
#pragma GCC unroll 16
            for (int u = 0; u < kCount; ++u) multiply(r, u);
          }
        }
      };
      each_by_offset<Arch, kColumns, kStepsAtOnce<kVectors>>(tile.spans, tile.b, steps);
    } else {
      loops.each(windows, tile.b, [&](const auto& a, const float* b, auto u) noexcept {
        Floats<Arch> b_row[kVectors];
#pragma GCC unroll 16
        for (int v = 0; v < kVectors; ++v) b_row[v] = simd::load<Arch>(b + u * kColumns + v * kLanes);
#pragma GCC unroll 16
        for (int r = 0; r < kRows; ++r) {
          const Floats<Arch> value = simd::broadcast<Arch>(a[r][u]);
#pragma GCC unroll 16
          for (int v = 0; v < kVectors; ++v) sums[r][v] = simd::multiply_add<Arch>(value, b_row[v], sums[r][v]);
        }
      });
    }

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

  const SpanLoops<Arch, kRows, 4, kLanes, kColumns * kLanes> loops(tile.spans);
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

    loops.each(windows, tile.b, [&](const auto& a, const float* b, auto u) {
      Floats<Arch> b_values[kColumns];
#pragma GCC unroll 16
      for (int j = 0; j < kColumns; ++j) b_values[j] = simd::load<Arch>(b + (u * kColumns + j) * kLanes);
#pragma GCC unroll 16
      for (int r = 0; r < kRows; ++r) {
        const Floats<Arch> a_values = simd::load<Arch>(a[r] + u * kLanes);
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
#pragma GCC unroll 16
      for (int r = 0; r < kAtOnce; ++r) {
        std::memcpy(out_of[from + r] + tile.first_out, columns + r * kColumns, kColumns * sizeof(float));
      }
    }
  }
}

}  // namespace conv2d::micro_kernels
