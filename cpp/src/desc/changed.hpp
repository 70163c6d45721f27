#pragma once

#include "conv2d/conv_desc.hpp"

/// Geometries that are made from others. There are no more ways to one: what they need was counted by resolve().
namespace conv2d {

/// The same convolution, of tensors in `layout`.
Geometry in_layout(const Geometry& g, Layout layout) noexcept;

/// g with the padding ring as part of x. Its dx is the full convolution before cropping. x may then be too large for
/// memory, but never for 63 bits.
Geometry with_padding_as_image(const Geometry& g) noexcept;

}  // namespace conv2d
