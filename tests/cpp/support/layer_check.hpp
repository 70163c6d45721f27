#pragma once

#include <limits>
#include <span>
#include <vector>

#include "conv2d_teach/gradient_check.hpp"

/// The gradient check of a chain of one convolution.
namespace conv2d::test {

template <class T>
struct LayerInputs {
  std::span<const T> x, w, b;  ///< b may be empty
  std::span<const T> dy;       ///< only for "linear"
  std::span<const T> target;   ///< only for other losses
  std::span<const T> gradient{};
  double gradient_precision = static_cast<double>(std::numeric_limits<T>::epsilon());
};

template <class T>
Result<std::vector<GradientCheckCell>> check_layer(const Geometry& g, std::string_view loss, Parameter parameter,
                                                   const LayerInputs<T>& in, T epsilon,
                                                   std::span<const std::int64_t> indices) {
  const LayerInfo layer{.kind = "conv",
                        .geometry = g,
                        .x_shape = g.x_shape(),
                        .y_shape = g.y_shape(),
                        .x_size = g.x_size,
                        .y_size = g.y_size,
                        .w_size = g.w_size,
                        .b_size = g.k};
  const LayerTensors<T> tensors{.w = in.w, .b = in.b};
  return gradient_check<T>({&layer, 1}, loss, {.parameter = parameter},
                           {.x = in.x,
                            .layers = {&tensors, 1},
                            .dy_or_target = loss == "linear" ? in.dy : in.target,
                            .gradient = in.gradient,
                            .gradient_precision = in.gradient_precision},
                           epsilon, indices);
}

}  // namespace conv2d::test
