#pragma once

#include <string>

#include "engines/prepared.hpp"

/// The passes of convolutions whose filters read one channel each (see README.md).
namespace conv2d::engine {

/// Empty when every filter reads one channel only.
std::string why_not_depthwise(const Geometry& g);

// Precondition of all: NHWC, and why_not_depthwise() is empty.

PreparedPointer prepare_depthwise_forward(const Geometry& g, const Request& request);
PreparedPointer prepare_depthwise_backward_data(const Geometry& g, const Request& request);
PreparedPointer prepare_depthwise_backward_weights(const Geometry& g, const Request& request);

}  // namespace conv2d::engine
