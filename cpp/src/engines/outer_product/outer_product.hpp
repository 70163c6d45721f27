#pragma once

#include "engines/executable.hpp"

namespace conv2d::engine {

/// backward_weights as a sum of outer products, one per pixel of dy (see README.md). Precondition: NHWC.
ExecutablePointer prepare_outer_product(const Geometry& g, const PrepareOptions& options);

}  // namespace conv2d::engine
