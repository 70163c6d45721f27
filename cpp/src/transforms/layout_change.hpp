#pragma once

#include <cstdint>

#include "conv2d/conv_desc.hpp"

/// Copies of whole tensors from one layout to the other. Nothing overlaps; sizes in elements.
namespace conv2d {

/// x, y and their gradients; `pixels` is height * width.
void activation_nchw_to_nhwc(const float* nchw, std::int64_t n, std::int64_t c, std::int64_t pixels,
                             float* nhwc) noexcept;
void activation_nhwc_to_nchw(const float* nhwc, std::int64_t n, std::int64_t c, std::int64_t pixels,
                             float* nchw) noexcept;

/// w and dw: from and to g.weights_layout, OIHW or OHWI. HWIO needs no copy.
void weights_to_hwio(const Geometry& g, const float* w, float* hwio) noexcept;
void weights_from_hwio(const Geometry& g, const float* hwio, float* w) noexcept;

}  // namespace conv2d
