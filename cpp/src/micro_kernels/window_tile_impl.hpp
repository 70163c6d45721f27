#pragma once

#include <cstring>

#include "check/check.hpp"
#include "micro_kernels/reduction.hpp"
#include "micro_kernels/window_tile.hpp"
#include "simd/batch.hpp"

namespace conv2d::micro_kernels {

/// Walks the runs of a tile's windows, `kA` floats of each window and `kB` of the weights at a step. Over Arch, which
/// it does not use, so that no instruction set takes the code of another.
template <class Arch, int kRows, int kSteps, int kA, int kB>
class RunWalk {
 public:
  explicit RunWalk(const WindowRuns& runs) noexcept
      : runs_(runs),
        steps_(runs.length / kA),
        left_(steps_left<kSteps>(steps_)),
        to_next_col_(runs.col_a - (steps_ - left_) * kA),
        to_next_row_(runs.row_a - runs.cols * runs.col_a),
        to_next_row_b_(runs.row_b - runs.cols * steps_ * kB) {
    CONV2D_CHECK(runs.rows >= 1 && runs.cols >= 1 && runs.length >= 1 && runs.length % kA == 0);
  }

  /// Calls step(a, b, u) for every step: row r of the tile is at a[r] + u * kA, the weights at b + u * kB.
  template <class Step>
  [[gnu::always_inline]] void each(const float* const* windows, const float* b, Step step) const noexcept {
    const float* a[kRows];
#pragma GCC unroll 16
    for (int r = 0; r < kRows; ++r) a[r] = windows[r] + runs_.first_a;
    std::ptrdiff_t row = runs_.rows;
    do {
      std::ptrdiff_t col = runs_.cols;
      do {
        reduce<kSteps>(
            steps_, [&](auto u) { step(a, b, u); },
            [&] {
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
  const WindowRuns& runs_;
  std::ptrdiff_t steps_, left_, to_next_col_, to_next_row_, to_next_row_b_;
};

/// Contract in window_tile.hpp; never inlined, for the reason given at gemm_tile.
template <class Arch, int kRows, int kVectors>
[[gnu::noinline]] void window_tile(const WindowTile& tile) noexcept {
  using simd::Floats;
  constexpr int kLanes = simd::kLanes<Arch>;
  constexpr int kColumns = kVectors * kLanes;

  CONV2D_CHECK(tile.windows && tile.out && tile.b && tile.start && tile.rows >= kRows);
  CONV2D_CHECK(tile.columns >= 1 && tile.columns <= kColumns);

  const RunWalk<Arch, kRows, 3, 1, kColumns> walk(tile.runs);
  for (std::ptrdiff_t next = 0; next < tile.rows; next += kRows) {
    // The last tile does some rows again: a low tile would wait for every multiply-add.
    const std::ptrdiff_t first = next + kRows <= tile.rows ? next : tile.rows - kRows;
    const float* const* windows = tile.windows + first;
    float* const* out_of = tile.out + first;
    Floats<Arch> sums[kRows][kVectors];
#pragma GCC unroll 16
    for (int r = 0; r < kRows; ++r) {
#pragma GCC unroll 16
      for (int v = 0; v < kVectors; ++v) sums[r][v] = simd::load<Arch>(tile.start + v * kLanes);
    }

    walk.each(windows, tile.b, [&](const auto& a, const float* b, auto u) {
      Floats<Arch> b_row[kVectors];
#pragma GCC unroll 16
      for (int v = 0; v < kVectors; ++v) b_row[v] = simd::load<Arch>(b + u * kColumns + v * kLanes);
#pragma GCC unroll 16
      for (int r = 0; r < kRows; ++r) {
        const Floats<Arch> a_value = simd::broadcast<Arch>(a[r][u]);
#pragma GCC unroll 16
        for (int v = 0; v < kVectors; ++v) sums[r][v] = simd::multiply_add<Arch>(a_value, b_row[v], sums[r][v]);
      }
    });

    if (tile.columns == kColumns) {
#pragma GCC unroll 16
      for (int r = 0; r < kRows; ++r) {
        float* out = out_of[r] + tile.first_out;
#pragma GCC unroll 16
        for (int v = 0; v < kVectors; ++v) simd::store<Arch>(out + v * kLanes, sums[r][v]);
      }
      continue;
    }
    // Fewer columns than the registers hold: through memory, since not one float beyond them may be touched.
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

/// Contract in window_tile.hpp.
template <class Arch, int kRows, int kColumns>
[[gnu::noinline]] void dot_tile(const DotTile& tile) noexcept {
  using simd::Floats;
  constexpr int kLanes = simd::kLanes<Arch>;

  CONV2D_CHECK(tile.windows && tile.out && tile.b && tile.start && tile.rows >= kRows);

  const RunWalk<Arch, kRows, 4, kLanes, kColumns * kLanes> walk(tile.runs);
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

    walk.each(windows, tile.b, [&](const auto& a, const float* b, auto u) {
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

    // Four sums come at a time: of three columns a row's, lest a row be read across two stores.
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
