#pragma once

#include "engines/prepared.hpp"

namespace conv2d::engine {

/// backward_weights as a sum of outer products, one per pixel of dy (see README.md). Precondition: NHWC.
PreparedPointer prepare_outer_product(const Geometry& g, const Request& request);

}  // namespace conv2d::engine
