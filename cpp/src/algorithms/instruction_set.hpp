#pragma once

#include "conv2d/status.hpp"

namespace conv2d::algorithm {

/// Whether this machine has the instruction set that CONV2D_INSTRUCTION_SET asks for.
Status check_instruction_set();

}  // namespace conv2d::algorithm
