#pragma once

#include <cstdint>
#include <span>

#include "conv2d/config.hpp"
#include "conv2d/status.hpp"

/// Reductions and comparisons of tensors.
namespace conv2d {

struct TensorStats {
  float min = 0, max = 0;       ///< of the finite elements; 0 if there are none
  float max_abs = 0;            ///< of the finite elements; 0 if there are none
  std::int64_t not_finite = 0;  ///< number of NaNs and infinities
};

CONV2D_API TensorStats tensor_stats(std::span<const float> values) noexcept;

/// The square root of the sum of squares, in double.
CONV2D_API double norm(std::span<const float> values) noexcept;

/// max |a - b|, or NaN if any difference is NaN. Error: length_mismatch.
CONV2D_API Result<double> max_abs_difference(std::span<const float> a, std::span<const float> b) noexcept;

/// max |actual - expected| / max |expected|; the divisor is 1 if all of `expected` is 0. Infinite if the lengths differ
/// or any difference is not finite.
CONV2D_API double relative_error(std::span<const float> actual, std::span<const float> expected) noexcept;

/// Checks the adjoint identity. A convolution without bias is a matrix C: y = C x and dx = C^T dy, so
/// <C x, dy> = <x, C^T dy> for all x and dy. Given cx = C x and dx = C^T dy, writes 4 values: out[0] the left side,
/// out[1] the right side, out[2] |left - right|, out[3] that divided by the larger sum of |products| of the two sides
/// (0 if the sides are equal). Sums are in double and rounded at the end. Error: length_mismatch.
CONV2D_API Status adjoint_check(std::span<const float> cx, std::span<const float> dy, std::span<const float> x,
                                std::span<const float> dx, std::span<float> out) noexcept;

/// products_out[t] = a[index_a[t]] * b[index_b[t]] in float32, or a[index_a[t]] if b and index_b are empty. Returns the
/// sum of the products, accumulated in double. A negative index is a factor in the padding, which makes the product 0.
/// Errors: length_mismatch, invalid_argument (field "index_a" or "index_b": an index outside its tensor).
CONV2D_API Result<double> products(std::span<const float> a, std::span<const std::int32_t> index_a,
                                   std::span<const float> b, std::span<const std::int32_t> index_b,
                                   std::span<float> products_out) noexcept;

/// sums_out[t] = values[t * length] + ... + values[(t + 1) * length - 1], accumulated in double and rounded to float.
/// The last group may be shorter. Errors: invalid_argument (field "length": below 1), length_mismatch (field
/// "sums_out").
CONV2D_API Status subtotals(std::span<const float> values, std::size_t length, std::span<float> sums_out) noexcept;

}  // namespace conv2d
