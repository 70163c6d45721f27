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

/// w and dw: OIHW [k, c / groups, kh, kw] and HWIO [kh, kw, c / groups, k].
void weights_oihw_to_hwio(const Geometry& g, const float* oihw, float* hwio) noexcept;
void weights_hwio_to_oihw(const Geometry& g, const float* hwio, float* oihw) noexcept;

}  // namespace conv2d
