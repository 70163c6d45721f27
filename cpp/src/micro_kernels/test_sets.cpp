#include "micro_kernels/kernel_set.hpp"

namespace conv2d::micro_kernels {

// Alone in this file, so that the linker takes the definition of a test program instead.
std::span<const CompiledSet> test_sets() noexcept { return {}; }

}  // namespace conv2d::micro_kernels
