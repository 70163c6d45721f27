#pragma once

#include "micro_kernels/window_tile.hpp"
#include "simd/batch.hpp"

namespace conv2d::micro_kernels {

/// Contract in window_tile.hpp; never inlined, for the reason given at gemm_tile. The reduction is not unrolled: V8
/// then runs out of registers and spills sums (31 to 38 in place of 49 GFLOP/s in Chromium 156).
template <class Arch, int kRows, int kVectors>
[[gnu::noinline]] void window_tile(const WindowTile& tile) noexcept {
  using simd::Floats;
  constexpr int kLanes = simd::kLanes<Arch>;
  constexpr int kColumns = kVectors * kLanes;

  const WindowRuns& runs = tile.runs;
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

    for (std::ptrdiff_t row = 0; row < runs.rows; ++row) {
      for (std::ptrdiff_t col = 0; col < runs.cols; ++col) {
        const std::ptrdiff_t first_a = runs.first_a + row * runs.row_a + col * runs.col_a;
        const float* a[kRows];
#pragma GCC unroll 16
        for (int r = 0; r < kRows; ++r) a[r] = windows[r] + first_a;
        const float* b = tile.b + row * runs.row_b + col * runs.col_b;
        for (std::ptrdiff_t d = runs.length; d > 0; --d) {
          Floats<Arch> b_row[kVectors];
#pragma GCC unroll 16
          for (int v = 0; v < kVectors; ++v) b_row[v] = simd::load<Arch>(b + v * kLanes);
#pragma GCC unroll 16
          for (int r = 0; r < kRows; ++r) {
            const Floats<Arch> a_value = simd::broadcast<Arch>(*a[r]);
#pragma GCC unroll 16
            for (int v = 0; v < kVectors; ++v) sums[r][v] = simd::multiply_add<Arch>(a_value, b_row[v], sums[r][v]);
            ++a[r];
          }
          b += kColumns;
        }
      }
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
    // Fewer columns than the registers hold: through memory, since not one float beyond them may be touched.
    float spilled[kRows * kColumns];
#pragma GCC unroll 16
    for (int r = 0; r < kRows; ++r) {
#pragma GCC unroll 16
      for (int v = 0; v < kVectors; ++v) simd::store<Arch>(spilled + r * kColumns + v * kLanes, sums[r][v]);
    }
    for (int r = 0; r < kRows; ++r) {
      float* out = out_of[r] + tile.first_out;
      for (std::ptrdiff_t j = 0; j < tile.columns; ++j) out[j] = spilled[r * kColumns + j];
    }
  }
}

/// Contract in window_tile.hpp.
template <class Arch, int kRows, int kColumns>
[[gnu::noinline]] void dot_tile(const DotTile& tile) noexcept {
  using simd::Floats;
  constexpr int kLanes = simd::kLanes<Arch>;

  const WindowRuns& runs = tile.runs;
  for (std::ptrdiff_t next = 0; next < tile.rows; next += kRows) {
    const std::ptrdiff_t first = next + kRows <= tile.rows ? next : tile.rows - kRows;
    const float* const* windows = tile.windows + first;
    float* const* out_of = tile.out + first;
    Floats<Arch> sums[kRows][kColumns];
#pragma GCC unroll 16
    for (int r = 0; r < kRows; ++r) {
#pragma GCC unroll 16
      for (int j = 0; j < kColumns; ++j) sums[r][j] = simd::broadcast<Arch>(0.0F);
    }

    for (std::ptrdiff_t row = 0; row < runs.rows; ++row) {
      for (std::ptrdiff_t col = 0; col < runs.cols; ++col) {
        const std::ptrdiff_t first_a = runs.first_a + row * runs.row_a + col * runs.col_a;
        const float* a[kRows];
#pragma GCC unroll 16
        for (int r = 0; r < kRows; ++r) a[r] = windows[r] + first_a;
        const float* b = tile.b + row * runs.row_b + col * runs.col_b;
        for (std::ptrdiff_t d = runs.length; d > 0; d -= kLanes) {
          Floats<Arch> b_values[kColumns];
#pragma GCC unroll 16
          for (int j = 0; j < kColumns; ++j) b_values[j] = simd::load<Arch>(b + j * kLanes);
#pragma GCC unroll 16
          for (int r = 0; r < kRows; ++r) {
            const Floats<Arch> a_values = simd::load<Arch>(a[r]);
#pragma GCC unroll 16
            for (int j = 0; j < kColumns; ++j) sums[r][j] = simd::multiply_add<Arch>(a_values, b_values[j], sums[r][j]);
          }
#pragma GCC unroll 16
          for (int r = 0; r < kRows; ++r) a[r] += kLanes;
          b += kColumns * kLanes;
        }
      }
    }

    // Through memory, so that one row's code serves all.
    float spilled[kRows * kColumns * kLanes];
#pragma GCC unroll 16
    for (int r = 0; r < kRows; ++r) {
#pragma GCC unroll 16
      for (int j = 0; j < kColumns; ++j) simd::store<Arch>(spilled + (r * kColumns + j) * kLanes, sums[r][j]);
    }
#pragma GCC unroll 1
    for (int r = 0; r < kRows; ++r) {
      Floats<Arch> row[kColumns];
      for (int j = 0; j < kColumns; ++j) row[j] = simd::load<Arch>(spilled + (r * kColumns + j) * kLanes);
      float columns[kLanes];
      simd::store<Arch>(columns, simd::sums<Arch, kColumns>(row));
      float* out = out_of[r] + tile.first_out;
#pragma GCC unroll 16
      for (int j = 0; j < kColumns; ++j) out[j] = tile.start[j] + columns[j];
    }
  }
}

}  // namespace conv2d::micro_kernels
