#pragma once

#include <cstdint>

namespace conv2d::engine {

/// sum of a[t * stride_a] * b[t * stride_b], in four chains, because each addition waits for the one before it. The
/// order of summation differs from a plain loop, but the error bound is the same.
inline float dot(std::int64_t count, const float* a, std::int64_t stride_a, const float* b,
                 std::int64_t stride_b) noexcept {
  float sum_0 = 0, sum_1 = 0, sum_2 = 0, sum_3 = 0;
  std::int64_t t = 0;
  for (; t + 4 <= count; t += 4) {
    sum_0 += a[t * stride_a] * b[t * stride_b];
    sum_1 += a[(t + 1) * stride_a] * b[(t + 1) * stride_b];
    sum_2 += a[(t + 2) * stride_a] * b[(t + 2) * stride_b];
    sum_3 += a[(t + 3) * stride_a] * b[(t + 3) * stride_b];
  }
  for (; t < count; ++t) sum_0 += a[t * stride_a] * b[t * stride_b];
  return (sum_0 + sum_1) + (sum_2 + sum_3);
}

}  // namespace conv2d::engine
