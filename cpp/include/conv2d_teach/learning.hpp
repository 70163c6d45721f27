#pragma once

#include <span>

#include "conv2d/config.hpp"
#include "conv2d/status.hpp"

/// Gradient descent. For the squared error
///   L = sum((y - target)^2) / (2 * y_size),   y = conv(x, w) + b
/// L is quadratic in x, and in (w, b). The largest eigenvalue of its matrix of second derivatives decides for which
/// learning rates gradient descent converges. Nothing here allocates or throws.
namespace conv2d {

/// One step of gradient descent: values[i] -= rate * gradient[i], computed in double and rounded to float.
/// Error: length_mismatch (field "gradient").
CONV2D_API Status sgd_step(std::span<float> values, std::span<const float> gradient, double rate) noexcept;

/// A vector in two parts: w and b, or x and an empty span.
template <class T>
struct Parts {
  std::span<T> first, second;
};

/// One step of the power iteration for the largest eigenvalue of H, the matrix of second derivatives of L. `product` is
/// H times `direction`: the gradient of L at `direction` with a target of 0, so H itself is never computed. `direction`
/// is replaced by `product` normalized to length 1, and is unchanged if that length is 0. Returns the Rayleigh quotient
/// (direction . product) / (direction . direction), which converges to the eigenvalue from below.
/// Precondition: `direction` and `product` have equal lengths.
CONV2D_API double power_iteration_step(Parts<float> direction, Parts<const float> product) noexcept;

/// Stability of gradient descent along the eigenvector of the largest eigenvalue.
struct StepSize {
  /// 2 / curvature: gradient descent diverges above this learning rate. Infinite if the curvature is 0.
  double largest_rate = 0;
  /// 1 - rate * curvature: each step multiplies the distance to the minimum by it. Diverges below -1.
  double factor = 1;
};

/// `curvature` is the largest eigenvalue of H, `rate` the learning rate.
CONV2D_API StepSize step_size(double curvature, double rate) noexcept;

}  // namespace conv2d
