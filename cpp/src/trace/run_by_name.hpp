#pragma once

#include <string_view>

#include "conv2d/conv2d.hpp"

namespace conv2d::trace {

/// Plans and runs an algorithm with its own workspace. Errors: those of plan() and run(); out_of_memory.
Status run_by_name(const Geometry& g, Pass pass, std::string_view algorithm, const Tensors& tensors);

}  // namespace conv2d::trace
