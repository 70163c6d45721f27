#pragma once

#include <string>

#include "algorithms/entry.hpp"
#include "engines/windows/product.hpp"

/// What the plane algorithms of forward and backward_data have in common.
namespace conv2d::algorithm {

/// Why a pass of this geometry, whose product is `product`, is not one of a plane and a filter; empty when it is.
/// `product` is asked for only when the sizes fit.
std::string why_not_plane(const Geometry& g,
                          engine::WindowProduct (*product)(const Geometry&, const engine::KernelSet&) noexcept);

}  // namespace conv2d::algorithm
