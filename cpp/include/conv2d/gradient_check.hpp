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
  /// What is held against the quotients, as long as the parameter; empty: the reference's own gradient.
  std::span<const T> gradient{};
};

template <class T>
struct GradientCheckCell {
  std::int64_t index = 0;  ///< flat index in the parameter
  T loss_plus{}, loss_minus{};
  T analytic{}, numeric{};
  double absolute_error = 0;
  double relative_error = 0;  ///< |a - n| / max(|a|, |n|, smallest normal)
};

/// Checks the cells `indices` of `parameter` (empty: all of them) with step `epsilon`. Values, losses and quotients are
/// in T; an output is the reference's (summed in double, rounded to T), and a loss is summed pairwise in T.
/// A nudge recomputes only the outputs that the cell feeds: the others are the same bits in a whole forward pass.
/// Instantiated for float and double. Errors: length_mismatch, invalid_argument ("epsilon", "indices", and "parameter"
/// for b when there is none), out_of_memory.
template <class T>
Result<std::vector<GradientCheckCell<T>>> gradient_check(const Geometry& g, Loss loss, Parameter parameter,
                                                         const GradientCheckInputs<T>& in, T epsilon,
                                                         std::span<const std::int64_t> indices);

/// One cell with every step of `epsilons`: the points of a plot of the error over epsilon. Errors as gradient_check
/// ("index" for the cell, "epsilons").
template <class T>
Result<std::vector<GradientCheckCell<T>>> gradient_check_sweep(const Geometry& g, Loss loss, Parameter parameter,
                                                               const GradientCheckInputs<T>& in, std::int64_t index,
                                                               std::span<const T> epsilons);

/// The loss at y, summed pairwise in T; 0 when y is empty. Error length_mismatch ("dy" or "target").
template <class T>
Result<T> loss_value(Loss loss, std::span<const T> y, std::span<const T> dy_or_target) noexcept;

/// How one element of a loss's gradient comes about, with its numbers: gradient = slope / y_size.
template <class T>
struct LossCell {
  T difference{};  ///< y - target
  T slope{};       ///< mse: the difference; log_cosh: tanh(difference)
  T gradient{};    ///< exactly what loss_gradient writes
};

/// The gradient of mse or log_cosh in one of `count` elements of y.
template <class T>
LossCell<T> loss_cell(Loss loss, T y, T target, std::size_t count) noexcept;

/// dL/dy of a loss at y: the upstream gradient dy that it sends back. For `linear`, a copy of dy.
template <class T>
Status loss_gradient(Loss loss, std::span<const T> y, std::span<const T> dy_or_target, std::span<T> dy_out) noexcept;

}  // namespace conv2d
