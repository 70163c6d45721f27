#include "micro_kernels/kernel_set_impl.hpp"

namespace conv2d::micro_kernels {

// 8 x 2 registers of sums, 2 of B and 1 of A, of 32.
extern constexpr KernelSet kNeonKernels = make_kernel_set<simd::Neon, 8, 2, 8, 8, 6>("neon", cost::kZen3);

}  // namespace conv2d::micro_kernels
