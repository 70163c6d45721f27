#pragma once

#include <span>

#include "conv2d/status.hpp"

/// What gradient descent adds to the passes. Under the squared error
///   L = sum((y - target)^2) / (2 * y_size),   y = conv(x, w) + b
/// L is a parabola in x, and in w and b together: how steep it is at its steepest says which rates can work.
/// Nothing here allocates or throws.
namespace conv2d {

/// values[i] -= rate * slopes[i], computed in double and rounded: one step down. Error length_mismatch ("slopes").
Status descend(std::span<float> values, std::span<const float> slopes, double rate) noexcept;

/// A vector in two parts: weights and bias, or x and nothing.
template <class T>
struct Parts {
  std::span<T> first, second;
};

/// One round of the power iteration for the largest eigenvalue of H, the matrix of second derivatives of L. `product`
/// is H times `direction`, which no code needs to write out: L's gradient at `direction` with a target of 0 (and no
/// bias but the direction's own). `direction` becomes `product` with a length of 1, or stays where that is 0. Returns
/// the quotient direction . product / direction . direction, which approaches the eigenvalue from below. Precondition:
/// equal lengths.
double power_round(Parts<float> direction, Parts<const float> product) noexcept;

/// What the largest eigenvalue says of a rate.
struct Pace {
  double largest_rate = 0;  ///< 2 / curvature: with a larger rate descent runs away; infinite where the curvature is 0
  double factor =
      1;  ///< of the distance to the lowest point in the steepest direction, at each step; below -1 it grows
};

Pace pace(double curvature, double rate) noexcept;

}  // namespace conv2d
