#pragma once

#include <string>

#include "engines/engines.hpp"

/// 1 x 1 kernels with stride 1 and no padding, in NCHW: each pass is a product of matrices as they are in memory.
namespace conv2d::engine {

bool is_pointwise(const Geometry& g) noexcept;

/// See plane_unsupported_reason. Precondition: is_pointwise(g).
std::string pointwise_unsupported_reason(const Geometry& g, Pass pass);
ExecutablePointer prepare_pointwise(const Geometry& g, Pass pass, const PrepareOptions& options);

}  // namespace conv2d::engine
