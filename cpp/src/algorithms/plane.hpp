#pragma once

#include <string>

#include "algorithms/entry.hpp"
#include "engines/windows/product.hpp"

/// Common code of the plane algorithms of forward and backward_data.
namespace conv2d::algorithm {

/// Why the plane engine does not support a pass of this geometry; empty when it does. `product` gives the product of
/// the pass, and is called only when the sizes fit.
std::string plane_unsupported_reason(const Geometry& g,
                                     engine::WindowProduct (*product)(const Geometry&,
                                                                      const engine::KernelSet&) noexcept);

}  // namespace conv2d::algorithm
