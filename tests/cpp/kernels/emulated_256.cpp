#include "kernels/emulated.hpp"
#include "kernels/operations_impl.hpp"
#include "micro_kernels/kernel_set_impl.hpp"

namespace conv2d::test {

// 8 lanes, like AVX2.
using Arch = xsimd::emulated<256>;
extern constexpr micro_kernels::KernelSet kEmulated256Kernels =
    micro_kernels::make_kernel_set<Arch, 6, 2, 6, 4>("emulated256", cost::kZen3);
extern constexpr Operations kEmulated256Operations = make_operations<Arch>();

}  // namespace conv2d::test
