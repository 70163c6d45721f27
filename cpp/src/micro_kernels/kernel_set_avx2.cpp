#include "micro_kernels/kernel_set_impl.hpp"

namespace conv2d::micro_kernels {

// 6 x 2 registers of sums, 2 of B and 1 of A, of 16. Window tiles of one register have 12 sums, too: two multiply-adds
// per cycle, each with a latency of four cycles, need eight.
extern constexpr KernelSet kAvx2Kernels = make_kernel_set<simd::Avx2, 6, 2, 12, 6, 4>("avx2", cost::kZen3);

}  // namespace conv2d::micro_kernels
