#pragma once

#include <cstdint>

/// Micro-kernels on rows of contiguous floats (the channels of a pixel) that sum over a list of rows.
namespace conv2d::micro_kernels {

/// One term: the rows a and b, multiplied element by element. No default values: arrays of it are filled once per
/// pixel.
struct RowPair {
  const float* a;
  const float* b;
};

/// out[j] = start[j] + sum over t of pairs[t].a[j] * pairs[t].b[j], for 0 <= j < columns: the sum of a depthwise
/// convolution.
struct ProductSum {
  const RowPair* pairs = nullptr;
  std::int64_t count = 0;  ///< >= 0
  std::int64_t columns = 0;
  const float* start = nullptr;  ///< null: zeros; may be `out`
  float* out = nullptr;
};

using ProductSumFunction = void (*)(const ProductSum&) noexcept;

/// out[j] = sum over t of rows[t * row_stride + j], for 0 <= j < columns.
struct RowSum {
  const float* rows = nullptr;
  std::int64_t count = 0;       ///< >= 0
  std::int64_t row_stride = 0;  ///< in floats
  std::int64_t columns = 0;
  float* out = nullptr;
};

using RowSumFunction = void (*)(const RowSum&) noexcept;

}  // namespace conv2d::micro_kernels
