#include "micro_kernels/kernel_set_impl.hpp"

namespace conv2d::micro_kernels {

// 4 x 2 registers of sums: the engine must find 16 on x86, and V8 of Node 20 spills already at 6 x 2.
extern constexpr KernelSet kWasmKernels = make_kernel_set<simd::Wasm, 4, 2>("wasm");

}  // namespace conv2d::micro_kernels
