#include "micro_kernels/kernel_set_impl.hpp"

namespace conv2d::micro_kernels {

// V8 leaves 15 registers of x86 to the code. With a fused multiply-add, 6 x 2 sums, 2 of B and 1 of A fill them.
// Without it each product needs a register, and 6 x 2 sums were spilled (23 GFLOP/s on R2 in Chromium 156 instead of
// 40).
#if defined(__wasm_relaxed_simd__)
constexpr int kGemmRows = 6, kWindowRows = 6;
constexpr const cost::Constants& kCosts = cost::kWasmRelaxed;
#else
constexpr int kGemmRows = 5, kWindowRows = 5;
constexpr const cost::Constants& kCosts = cost::kWasmSimd;
#endif

extern constexpr KernelSet kWasmKernels =
    make_kernel_set<simd::Wasm, kGemmRows, 2, kWindowRows, kWindowRows, 3>("wasm", kCosts);

}  // namespace conv2d::micro_kernels
