#pragma once

#include "conv2d/conv_desc.hpp"

/// Geometries derived from others. resolve() has checked the sizes that they need.
namespace conv2d {

/// The same convolution, of tensors in these layouts.
Geometry in_layout(const Geometry& g, Layout layout, WeightsLayout weights = WeightsLayout::automatic) noexcept;

/// g with the padding as part of x. Its dx is the full convolution before cropping. Such an x may not fit into memory,
/// but its size fits into 63 bits.
Geometry with_padding_as_image(const Geometry& g) noexcept;

}  // namespace conv2d
