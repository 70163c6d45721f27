#include "micro_kernels/kernel_set_impl.hpp"

namespace conv2d::micro_kernels {

// 12 x 2 or 27 x 1 registers of sums, 2 of B and 1 of A, of 32. Window tiles of two registers have 8 rows: 12 were no
// faster (Zen 5). Those of one register have 12: 8 sums barely hide the latency, 16 rows have too many addresses (10 %
// slower).
extern constexpr KernelSet kAvx512Kernels = make_kernel_set<simd::Avx512, 12, 2, 12, 8, 8, 27>("avx512", cost::kZen3);

}  // namespace conv2d::micro_kernels
