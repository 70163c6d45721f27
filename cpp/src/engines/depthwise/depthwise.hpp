#pragma once

#include <string>

#include "engines/executable.hpp"

/// The passes of depthwise convolutions: each filter reads one channel (see README.md).
namespace conv2d::engine {

/// Empty when every filter reads one channel only.
std::string depthwise_unsupported_reason(const Geometry& g);

// Precondition of all: NHWC, and depthwise_unsupported_reason() is empty.

ExecutablePointer prepare_depthwise_forward(const Geometry& g, const PrepareOptions& options);
ExecutablePointer prepare_depthwise_backward_data(const Geometry& g, const PrepareOptions& options);
ExecutablePointer prepare_depthwise_backward_weights(const Geometry& g, const PrepareOptions& options);

}  // namespace conv2d::engine
