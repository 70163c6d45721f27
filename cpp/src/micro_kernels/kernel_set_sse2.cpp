#include "micro_kernels/kernel_set_impl.hpp"

namespace conv2d::micro_kernels {

// 4 x 2 registers of sums, 2 of B, 1 of A and 1 for the product, of 16: there is no fused multiply-add.
extern constexpr KernelSet kSse2Kernels = make_kernel_set<simd::Sse2, 4, 2, 4, 4, 3>("sse2", cost::kZen3);

}  // namespace conv2d::micro_kernels
