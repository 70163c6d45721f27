#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <string_view>
#include <vector>

#include "conv2d/config.hpp"
#include "conv2d/conv_desc.hpp"
#include "conv2d/status.hpp"

/// Gradient check: compares analytic gradients with central differences (L(v + e) - L(v - e)) / 2e.
namespace conv2d {

enum class Loss {
  linear,          ///< sum(y * dy)
  mse,             ///< sum((y - target)^2) / (2 * y_size)
  log_cosh,        ///< sum(log(cosh(y - target))) / y_size
  absolute_error,  ///< sum(|y - target|) / y_size; the gradient is 0 where y is the target
};
inline constexpr Loss kLastLoss = Loss::absolute_error;

/// The name of the enumerator.
CONV2D_API std::string_view to_string(Loss loss) noexcept;

enum class Parameter { x, w, b };

template <class T>
struct GradientCheckInputs {
  std::span<const T> x, w, b;  ///< b may be empty
  std::span<const T> dy;       ///< only for Loss::linear
  std::span<const T> target;   ///< only for other losses
  /// The gradient to check, with the parameter's size. Empty: the gradient of the reference implementation.
  std::span<const T> gradient{};
  /// Relative precision of the sums in `gradient`: the machine epsilon of the type that computed them.
  double gradient_precision = static_cast<double>(std::numeric_limits<T>::epsilon());
};

/// Result of comparing a gradient with its difference quotient.
enum class GradientVerdict {
  confirmed,         ///< relative error at most 1e-3 in float, 1e-4 in double
  within_rounding,   ///< rounding explains the difference, and is small relative to the largest gradient
  not_at_this_step,  ///< rounding or curvature explains the difference: another step confirms the gradient
  wrong,             ///< the gradient is not the slope: they differ by more than all bounds of error allow
  at_kink,           ///< a ReLU of a chain opens or closes between v - e and v + e, or y passes its target
  at_tie,            ///< of a chain: another cell of a max_pool wins at v + e than at v - e
  undecided,         ///< at no step is the slope precise enough to confirm or refute the gradient
};

template <class T>
struct GradientCheckCell {
  std::int64_t index = 0;  ///< flat index in the parameter
  T loss_plus{}, loss_minus{};
  T analytic{}, numeric{};
  double absolute_error = 0;
  double relative_error = 0;  ///< |a - n| / max(|a|, |n|, smallest normal)
  /// The parts of the difference, unless the quotient alone confirms the gradient: of the rounding in the losses, and
  /// of the curvature of the loss within the step.
  double rounding = 0, truncation = 0;
  /// Bound of |a - slope| for a right gradient, at the step where the slope is known best; 0 if none was needed.
  double allowance = 0;
  GradientVerdict verdict = GradientVerdict::wrong;
};

/// Checks the elements `indices` of `parameter` (empty: all) with step `epsilon`. Values, losses and quotients are in
/// T. Outputs are those of the reference implementation (summed in double, rounded to T); losses are summed pairwise in
/// T. Only the outputs that depend on an element are recomputed: all others have the same bits in a full forward pass.
/// The verdict does not depend on the step: where the quotient does not confirm the gradient, the slope is measured
/// again in double at other steps, with bounds of rounding and truncation. Instantiated for float and double. Errors:
/// length_mismatch; invalid_argument (field "epsilon", "indices", "loss", or "parameter" if it is no enumerator, or b
/// and there is no b); out_of_memory.
template <class T>
CONV2D_API Result<std::vector<GradientCheckCell<T>>> gradient_check(const Geometry& g, Loss loss, Parameter parameter,
                                                                    const GradientCheckInputs<T>& in, T epsilon,
                                                                    std::span<const std::int64_t> indices);

/// The loss at y, summed pairwise in T; 0 if y is empty. Errors: length_mismatch (field "dy" or "target"),
/// invalid_argument (field "loss": no enumerator).
template <class T>
CONV2D_API Result<T> loss_value(Loss loss, std::span<const T> y, std::span<const T> dy_or_target) noexcept;

/// Intermediate values of one element of the gradient of a loss: gradient = slope / y_size.
template <class T>
struct LossCell {
  T difference{};  ///< y - target
  T slope{};       ///< mse: the difference; log_cosh: tanh(difference); absolute_error: its sign
  T gradient{};    ///< bitwise the value that loss_gradient writes
};

/// The gradient of a loss for one element of y; `count` is y_size. Precondition: the loss is not linear.
template <class T>
CONV2D_API LossCell<T> loss_cell(Loss loss, T y, T target, std::size_t count) noexcept;

/// dy_out = dL/dy at y. For Loss::linear, a copy of dy. Errors: as loss_value.
template <class T>
CONV2D_API Status loss_gradient(Loss loss, std::span<const T> y, std::span<const T> dy_or_target,
                                std::span<T> dy_out) noexcept;

}  // namespace conv2d
