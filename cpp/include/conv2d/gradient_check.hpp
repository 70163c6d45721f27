#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "conv2d/conv_desc.hpp"
#include "conv2d/status.hpp"

/// Numerical gradients by central differences, (L(v + e) - L(v - e)) / 2e, beside the analytic ones.
namespace conv2d {

enum class Loss {
  linear,    ///< sum(y * dy)
  mse,       ///< sum((y - target)^2) / (2 * y_size)
  log_cosh,  ///< sum(log(cosh(y - target))) / y_size
};

enum class Parameter { x, w, b };

template <class T>
struct GradientCheckInputs {
  std::span<const T> x, w, b;  ///< b may be empty
  std::span<const T> dy;       ///< linear loss only
  std::span<const T> target;   ///< mse and log_cosh only
};

template <class T>
struct GradientCheckCell {
  std::int64_t index = 0;  ///< flat index in the parameter
  T loss_plus{}, loss_minus{};
  T analytic{}, numeric{};
  double absolute_error = 0;
  double relative_error = 0;  ///< |a - n| / max(|a|, |n|, smallest normal)
};

/// Checks the cells `indices` of `parameter` (empty: all of them) with step `epsilon`, all arithmetic in T.
/// Instantiated for float and double. Errors: length_mismatch, invalid_argument ("epsilon", "indices").
template <class T>
Result<std::vector<GradientCheckCell<T>>> gradient_check(const Geometry& g, Loss loss, Parameter parameter,
                                                         const GradientCheckInputs<T>& in, T epsilon,
                                                         std::span<const std::int64_t> indices);

/// dL/dy of a loss at y: the upstream gradient dy that it sends back. For `linear`, a copy of dy.
template <class T>
Status loss_gradient(Loss loss, std::span<const T> y, std::span<const T> dy_or_target, std::span<T> dy_out) noexcept;

}  // namespace conv2d
