#pragma once

#include <cstddef>
#include <span>
#include <string_view>

#include "conv2d/config.hpp"
#include "conv2d/status.hpp"

/// Losses of the last output of a chain, and their gradients.
namespace conv2d {

/// The names of the losses. The first is that of a dy that is given, the others have a target:
///
///   linear          sum(y * dy)
///   mse             sum((y - target)^2) / (2 * y_size)
///   log_cosh        sum(log(cosh(y - target))) / y_size
///   absolute_error  sum(|y - target|) / y_size; the gradient is 0 where y is the target
CONV2D_API std::span<const std::string_view> loss_names() noexcept;

/// The loss at y, summed pairwise in T; 0 if y is empty. Errors: length_mismatch (field "dy" or "target"),
/// invalid_argument (field "loss": no such name).
template <class T>
CONV2D_API Result<T> loss_value(std::string_view loss, std::span<const T> y, std::span<const T> dy_or_target) noexcept;

/// Intermediate values of one element of the gradient of a loss: gradient = slope / y_size.
template <class T>
struct LossCell {
  T difference{};  ///< y - target
  T slope{};       ///< mse: the difference; log_cosh: tanh(difference); absolute_error: its sign
  T gradient{};    ///< bitwise the value that loss_gradient writes
};

/// The gradient of a loss for one element of y; `count` is y_size. Precondition: the loss has that name and a target.
template <class T>
CONV2D_API LossCell<T> loss_cell(std::string_view loss, T y, T target, std::size_t count) noexcept;

/// dy_out = dL/dy at y. For the linear loss, a copy of dy. Errors: as loss_value.
template <class T>
CONV2D_API Status loss_gradient(std::string_view loss, std::span<const T> y, std::span<const T> dy_or_target,
                                std::span<T> dy_out) noexcept;

}  // namespace conv2d
