#pragma once

#include <cstdint>
#include <span>

#include "conv2d/status.hpp"

/// Small reductions that the page needs about tensors, so that no arithmetic on values happens outside the library.
namespace conv2d {

struct TensorStats {
  float min = 0, max = 0;       ///< over the finite elements; 0 when there are none
  float max_abs = 0;            ///< over the finite elements
  std::int64_t not_finite = 0;  ///< NaN and infinities
};

TensorStats tensor_stats(std::span<const float> values) noexcept;

/// max |a - b|; NaN when any difference is NaN. Error length_mismatch.
Result<double> max_abs_difference(std::span<const float> a, std::span<const float> b) noexcept;

/// max |actual - expected| / max |expected| (by 1, where all that is expected is 0); infinite for another length and
/// where a difference is not finite.
double relative_error(std::span<const float> actual, std::span<const float> expected) noexcept;

enum class Difference {
  signed_value,  ///< a - b
  absolute,      ///< |a - b|
  squared,       ///< (a - b)^2
};

/// out[t] = the difference of a[t] and b[t], computed in double and rounded: an error map. Error length_mismatch.
Status difference(std::span<const float> a, std::span<const float> b, Difference kind, std::span<float> out) noexcept;

/// sum of a[t] * b[t], accumulated in double: both sides of the adjoint identity
/// <dy, conv(x, w)> = <backward_data(dy), x> = <backward_weights(x, dy), w>. Error length_mismatch.
Result<double> inner_product(std::span<const float> a, std::span<const float> b) noexcept;

/// A convolution without bias is a matrix C: y = C x and dx = C^T dy, so <C x, dy> = <x, C^T dy> whatever x and dy are.
/// Of cx = C x and dx = C^T dy, into out[0..3]: the left side, the right side, |left - right|, and that divided by the
/// larger sum of |products|, which rounding is measured by (0 where the sides are equal). Sums in double, rounded at
/// the end. Error length_mismatch.
Status adjoint_check(std::span<const float> cx, std::span<const float> dy, std::span<const float> x,
                     std::span<const float> dx, std::span<float> out) noexcept;

/// products[t] = a[index_a[t]] * b[index_b[t]] in float32, or a[index_a[t]] alone where b and index_b are empty;
/// returns their sum, accumulated in double. A negative index stands for a factor that lies in the padding, whose value
/// is 0. Errors: length_mismatch, invalid_argument (an index outside its tensor; field "index_a" or "index_b").
Result<double> products(std::span<const float> a, std::span<const std::int32_t> index_a, std::span<const float> b,
                        std::span<const std::int32_t> index_b, std::span<float> products_out) noexcept;

/// sums_out[t] = values[t * length] + ... of the t-th run of `length` values (the last one may be shorter), accumulated
/// in double and rounded: the parts of an explained sum. Errors: invalid_argument ("length" below 1), length_mismatch
/// ("sums_out").
Status subtotals(std::span<const float> values, std::size_t length, std::span<float> sums_out) noexcept;

}  // namespace conv2d
