#include "kernels/emulated.hpp"
#include "kernels/operations_impl.hpp"
#include "layer_kernels/layer_kernels_impl.hpp"
#include "micro_kernels/kernel_set_impl.hpp"

namespace conv2d::test {

// 16 lanes, like AVX-512.
using Arch = xsimd::emulated<512>;
extern constexpr micro_kernels::KernelSet kEmulated512Kernels =
    micro_kernels::make_kernel_set<Arch, 12, 2, 12, 8, 8>("emulated512", cost::kZen3);
extern constexpr layer_kernels::LayerKernels kEmulated512LayerKernels =
    layer_kernels::make_layer_kernels<Arch>("emulated512");
extern constexpr Operations kEmulated512Operations = make_operations<Arch>();

}  // namespace conv2d::test
