#include "micro_kernels/kernel_set.hpp"

#include <atomic>
#include <cstdlib>

#include "simd/instruction_set.hpp"

namespace conv2d::micro_kernels {

#if defined(__x86_64__)
extern const KernelSet kSse2Kernels, kAvx2Kernels, kAvx512Kernels;
#elif defined(__aarch64__)
extern const KernelSet kNeonKernels;
#else
extern const KernelSet kWasmKernels;
#endif

namespace {

template <simd::InstructionSet kSet>
bool runs_here() noexcept {
  return simd::available(kSet);
}

constexpr CompiledSet kCompiled[] = {
#if defined(__x86_64__)
    {&kAvx512Kernels, runs_here<simd::InstructionSet::avx512>},
    {&kAvx2Kernels, runs_here<simd::InstructionSet::avx2>},
    {&kSse2Kernels, runs_here<simd::InstructionSet::sse2>},
#elif defined(__aarch64__)
    {&kNeonKernels, runs_here<simd::InstructionSet::neon>},
#else
    {&kWasmKernels, runs_here<simd::InstructionSet::wasm>},
#endif
};

std::string_view requested_isa() noexcept {
#if defined(__wasm__)
  return {};  // a web page has no environment variables
#else
  const char* name = std::getenv("CONV2D_INSTRUCTION_SET");
  return name ? name : std::string_view();
#endif
}

/// Set by the first call. Two threads that both call first choose the same set.
std::atomic<const KernelSet*> chosen = nullptr;
std::atomic<bool> refused = false;

}  // namespace

std::span<const CompiledSet> compiled_sets() noexcept { return kCompiled; }

const KernelSet* fastest_set(std::string_view requested_isa) noexcept {
  for (const CompiledSet& set : kCompiled) {
    if ((requested_isa.empty() || set.kernels->instruction_set == requested_isa) && set.runs_here()) return set.kernels;
  }
  return nullptr;
}

const KernelSet& kernels() noexcept {
  if (const KernelSet* set = chosen.load(std::memory_order_acquire)) return *set;
  const KernelSet* found = fastest_set(requested_isa());
  refused.store(!found, std::memory_order_relaxed);
  const KernelSet* set = found ? found : fastest_set({});
  chosen.store(set, std::memory_order_release);
  return *set;
}

std::string_view unavailable_isa() noexcept {
  kernels();
  return refused.load(std::memory_order_relaxed) ? requested_isa() : std::string_view();
}

void use_kernels(const KernelSet* set) noexcept { chosen.store(set, std::memory_order_relaxed); }

}  // namespace conv2d::micro_kernels
