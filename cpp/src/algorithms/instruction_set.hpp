#pragma once

#include <string_view>

#include "conv2d/status.hpp"
#include "engines/prepared.hpp"

namespace conv2d::algorithm {

/// The kernels of the instruction set of that name; of the fastest one, or the one that CONV2D_INSTRUCTION_SET asks
/// for, when it is empty. Error invalid_argument where this machine lacks it.
Result<const engine::KernelSet*> kernels_of(std::string_view instruction_set);

/// The same without a name.
Result<const engine::KernelSet*> default_kernels();

}  // namespace conv2d::algorithm
