#include "kernels/emulated.hpp"
#include "kernels/operations_impl.hpp"
#include "micro_kernels/kernel_set_impl.hpp"

namespace conv2d::test {

// 4 lanes, like SSE2 and NEON.
using Arch = xsimd::emulated<128>;
extern constexpr micro_kernels::KernelSet kEmulated128Kernels =
    micro_kernels::make_kernel_set<Arch, 4, 2, 4, 3>("emulated128", cost::kZen3);
extern constexpr Operations kEmulated128Operations = make_operations<Arch>();

}  // namespace conv2d::test
