#pragma once

#include <cstdint>

#include "base/range.hpp"
#include "conv2d/conv_desc.hpp"

/// Copies of whole tensors from one layout to the other. Nothing overlaps; sizes in elements.
namespace conv2d {

/// x, y and their gradients; `pixels` is height * width. A part copies some of the images, or of
/// the pixels of each if there are fewer images than parts.
void activation_nchw_to_nhwc(const float* nchw, std::int64_t n, std::int64_t c, std::int64_t pixels, float* nhwc,
                             Part part = {}) noexcept;
void activation_nhwc_to_nchw(const float* nhwc, std::int64_t n, std::int64_t c, std::int64_t pixels, float* nchw,
                             Part part = {}) noexcept;

/// w and dw: from and to g.weights_layout, OIHW or OHWI. HWIO needs no copy. A part copies some of the filters.
void weights_to_hwio(const Geometry& g, const float* w, float* hwio, Part part = {}) noexcept;
void weights_from_hwio(const Geometry& g, const float* hwio, float* w, Part part = {}) noexcept;

}  // namespace conv2d
