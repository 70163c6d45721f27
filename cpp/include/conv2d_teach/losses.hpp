#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "conv2d/config.hpp"
#include "conv2d/conv_desc.hpp"
#include "conv2d/status.hpp"
#include "conv2d_teach/layers.hpp"

/// Losses of the last output of a chain, and their gradients.
namespace conv2d {

/// The names of the losses. The first is that of a dy that is given, the others have a target:
///
///   linear          sum(y * dy)
///   mse             sum((y - target)^2) / (2 * y_size)
///   log_cosh        sum(log(cosh(y - target))) / y_size
///   absolute_error  sum(|y - target|) / y_size; the gradient is 0 where y is the target
///   cross_entropy   -sum(target * log(p)) / positions, where p = softmax(y) over the channels of each position, as
///                   PyTorch's cross_entropy with probabilities and reduction "mean" over n, oh and ow. The gradient is
///                   (p - target) / positions. The target of a position is a distribution: at least 0, with the sum 1
///                   up to 1e-3. A channel with target 0 adds 0, even with a y of -inf. If a y of a position is NaN or
///                   inf, or all are -inf, its dy are NaN, and so is the loss. All other y have a finite dy. Computed in
///                   double and rounded to T.
CONV2D_API std::span<const std::string_view> loss_names() noexcept;

/// Where y has the channels of a position, for cross_entropy; other losses ignore it.
struct LossChannels {
  std::size_t count = 1;   ///< channels, at least 1
  std::size_t stride = 1;  ///< elements between two channels of a position: 1 in NHWC, oh * ow in NCHW; at least 1

  /// Of a y of this shape.
  static LossChannels of(Layout layout, const std::array<std::int64_t, 4>& y) noexcept {
    const std::int64_t plane = y[2] * y[3];
    return layout == Layout::nhwc
               ? LossChannels{static_cast<std::size_t>(y[3])}
               : LossChannels{static_cast<std::size_t>(y[1]), static_cast<std::size_t>(plane > 0 ? plane : 1)};
  }
  /// Of the y of a convolution.
  static LossChannels of(const Geometry& g) noexcept { return of(g.layout, g.y_shape()); }
  /// Of the y of a layer.
  static LossChannels of(const LayerInfo& layer) noexcept { return of(layer.geometry.layout, layer.y_shape); }
};

/// The loss at y, summed pairwise in T; 0 if y is empty. Errors: length_mismatch (field "dy" or "target"),
/// invalid_argument (field "loss": no such name; "channels": they do not divide y; "target": no distribution).
template <class T>
CONV2D_API Result<T> loss_value(std::string_view loss, std::span<const T> y, std::span<const T> dy_or_target,
                                const LossChannels& channels = {}) noexcept;

/// Intermediate values of one element of the gradient of a loss: gradient = slope / y_size, or slope / positions for
/// cross_entropy.
template <class T>
struct LossCell {
  T difference{};  ///< y - target; cross_entropy: share - target
  T slope{};       ///< mse, cross_entropy: the difference; log_cosh: tanh(difference); absolute_error: its sign
  T gradient{};    ///< bitwise the value that loss_gradient writes
  /// Of cross_entropy: the largest y of the position, e^(y - largest), the sum of these powers over the channels, and
  /// p = power / total.
  T largest{}, power{}, total{}, share{};
};

/// The gradient of a loss for element `index` of y. Precondition: loss_gradient succeeds, and the loss has a target.
template <class T>
CONV2D_API LossCell<T> loss_cell(std::string_view loss, std::span<const T> y, std::span<const T> target,
                                 std::size_t index, const LossChannels& channels = {}) noexcept;

/// dy_out = dL/dy at y. For the linear loss, a copy of dy. Errors: as loss_value.
template <class T>
CONV2D_API Status loss_gradient(std::string_view loss, std::span<const T> y, std::span<const T> dy_or_target,
                                std::span<T> dy_out, const LossChannels& channels = {}) noexcept;

}  // namespace conv2d
