#pragma once

#include <string_view>

#include "conv2d/status.hpp"

namespace conv2d::algorithm {

/// Whether this machine has the instruction set that CONV2D_INSTRUCTION_SET asks for.
Status check_instruction_set();

/// The name of the one that the kernels are compiled for.
std::string_view instruction_set() noexcept;

}  // namespace conv2d::algorithm
