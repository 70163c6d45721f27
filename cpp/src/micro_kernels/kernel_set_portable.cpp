#include "micro_kernels/kernel_set_impl.hpp"

namespace conv2d::micro_kernels {

// The tiles of SSE2: 16 registers of four floats are the fewest of the processors that have vectors at all.
extern constexpr KernelSet kPortableKernels = make_kernel_set<simd::Portable, 4, 2, 4, 4, 3>("portable", cost::kZen3);

}  // namespace conv2d::micro_kernels
