#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "conv2d/conv_desc.hpp"

/// What follows from a geometry and a pass: shapes, the tensors that are read, and other geometries.
namespace conv2d {

using Shape = std::array<std::int64_t, 4>;

/// The sizes of an activation and of weights, in the order of the layout.
constexpr Shape activation_shape(Layout layout, std::int64_t n, std::int64_t rows, std::int64_t cols,
                                 std::int64_t channels) noexcept {
  return layout == Layout::nhwc ? Shape{n, rows, cols, channels} : Shape{n, channels, rows, cols};
}
constexpr Shape weights_shape(WeightsLayout layout, std::int64_t rows, std::int64_t cols, std::int64_t inputs,
                              std::int64_t filters) noexcept {
  if (layout == WeightsLayout::hwio) return {rows, cols, inputs, filters};
  if (layout == WeightsLayout::oihw) return {filters, inputs, rows, cols};
  return {filters, rows, cols, inputs};
}

// resolve() has checked the sizes of the geometries below.

/// The same convolution, of tensors in these layouts.
Geometry in_layout(const Geometry& g, Layout layout, WeightsLayout weights = WeightsLayout::automatic) noexcept;

/// The planes of a depthwise convolution in NCHW as images with one channel each.
Geometry planes_as_images(const Geometry& g) noexcept;

/// g with the padding as part of x. Its dx is the full convolution before cropping. Such an x may not fit into memory,
/// but its size fits into 63 bits.
Geometry with_padding_as_image(const Geometry& g) noexcept;

/// The tensors that a pass reads, and the name of the one that it writes.
struct PassTensors {
  bool x = false, w = false, b = false, dy = false;
  const char* out = "";
};

constexpr PassTensors tensors_of(Pass pass) noexcept {
  constexpr PassTensors kTensors[]{
      {.x = true, .w = true, .b = true, .out = "y"},
      {.w = true, .dy = true, .out = "dx"},
      {.x = true, .dy = true, .out = "dw"},
      {.dy = true, .out = "db"},
  };
  return kTensors[static_cast<std::size_t>(pass)];
}

/// The shape of the tensor that a pass writes; [1, 1, 1, k] for db.
inline Shape result_shape(const Geometry& g, Pass pass) noexcept {
  switch (pass) {
    case Pass::forward:
      return g.y_shape();
    case Pass::backward_data:
      return g.x_shape();
    case Pass::backward_weights:
      return g.w_shape();
    case Pass::backward_bias:
      break;
  }
  return {1, 1, 1, g.k};
}

}  // namespace conv2d
