#pragma once

#include <string_view>

#include "conv2d/status.hpp"
#include "engines/executable.hpp"

namespace conv2d::algorithm {

/// The kernels of the instruction set of that name. Without a name, those of the environment variable
/// CONV2D_INSTRUCTION_SET, or else of the fastest set. Error invalid_argument when this machine does not have it.
Result<const engine::KernelSet*> kernels_of(std::string_view instruction_set = {});

}  // namespace conv2d::algorithm
