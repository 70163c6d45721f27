#include "micro_kernels/kernel_set.hpp"

#include <cstdlib>

#include "simd/instruction_set.hpp"

namespace conv2d::micro_kernels {

#if defined(__x86_64__)
extern const KernelSet kSse2Kernels;
extern const KernelSet kAvx2Kernels;
extern const KernelSet kAvx512Kernels;
#elif defined(__aarch64__)
extern const KernelSet kNeonKernels;
#else
extern const KernelSet kWasmKernels;
#endif

namespace {

#if defined(__x86_64__)
const KernelSet& choose() noexcept {
  using simd::InstructionSet;
  struct Candidate {
    InstructionSet instruction_set;
    const KernelSet& kernels;
  };
  const Candidate fastest_first[] = {{InstructionSet::avx512, kAvx512Kernels}, {InstructionSet::avx2, kAvx2Kernels}};
  const char* wish = std::getenv("CONV2D_INSTRUCTION_SET");
  for (const auto& [instruction_set, kernels] : fastest_first) {
    if (wish && kernels.instruction_set != wish) continue;
    if (simd::available(instruction_set)) return kernels;
  }
  return kSse2Kernels;
}
#elif defined(__aarch64__)
const KernelSet& choose() noexcept { return kNeonKernels; }
#else
const KernelSet& choose() noexcept { return kWasmKernels; }
#endif

}  // namespace

const KernelSet& kernels() noexcept {
  static const KernelSet& chosen = choose();
  return chosen;
}

}  // namespace conv2d::micro_kernels
