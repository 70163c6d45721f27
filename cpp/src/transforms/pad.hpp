#pragma once

#include "conv2d/conv_desc.hpp"

namespace conv2d {

/// Copies x into `padded`, an activation of (h + top + bottom) x (w + left + right) x c in the geometry's layout. Its
/// other cells become 0.
void pad_x(const Geometry& g, const float* x, float* padded) noexcept;

/// Sizes of the padded image. They fit: `resolve` has checked them.
inline std::int64_t padded_h(const Geometry& g) noexcept { return g.h + g.padding.top + g.padding.bottom; }
inline std::int64_t padded_w(const Geometry& g) noexcept { return g.w + g.padding.left + g.padding.right; }

}  // namespace conv2d
