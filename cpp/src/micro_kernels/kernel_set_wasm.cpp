#include "micro_kernels/kernel_set_impl.hpp"

namespace conv2d::micro_kernels {

// GEMM tiles: 4 x 2 registers of sums. Window tiles: 6 x 2, which fill the 15 registers that V8 has on x86 and reach 49
// GFLOP/s in Chromium 156 (4 x 2: 47; 3 x 3: 48; 4 x 3 spills: 31). Node 20's older V8 spills at 6 x 2.
extern constexpr KernelSet kWasmKernels = make_kernel_set<simd::Wasm, 4, 2, 6, 3>("wasm");

}  // namespace conv2d::micro_kernels
