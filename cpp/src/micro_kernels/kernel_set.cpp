#include "micro_kernels/kernel_set.hpp"

#include <algorithm>

namespace conv2d::micro_kernels {
namespace {

#if defined(__x86_64__)
// As in cpp/cmake/InstructionSets.cmake; a test compares both.
constexpr std::string_view kSse2[] = {"sse2"};
constexpr std::string_view kAvx2[] = {"avx2", "fma"};
constexpr std::string_view kAvx512[] = {"avx512f", "avx512cd", "avx512dq", "avx512bw", "avx512vl", "avx2", "fma"};

/// Whether the processor and its operating system have the extension.
bool machine_has(std::string_view extension) noexcept {
  __builtin_cpu_init();
  if (extension == "sse2") return __builtin_cpu_supports("sse2");
  if (extension == "avx2") return __builtin_cpu_supports("avx2");
  if (extension == "fma") return __builtin_cpu_supports("fma");
  if (extension == "avx512f") return __builtin_cpu_supports("avx512f");
  if (extension == "avx512cd") return __builtin_cpu_supports("avx512cd");
  if (extension == "avx512dq") return __builtin_cpu_supports("avx512dq");
  if (extension == "avx512bw") return __builtin_cpu_supports("avx512bw");
  return extension == "avx512vl" && __builtin_cpu_supports("avx512vl");
}
#else
bool machine_has(std::string_view) noexcept { return true; }
#endif

}  // namespace

#if defined(__x86_64__)
extern const KernelSet kSse2Kernels, kAvx2Kernels, kAvx512Kernels;
#elif defined(__aarch64__)
extern const KernelSet kNeonKernels;
#elif defined(__wasm__)
extern const KernelSet kWasmKernels;
#else
extern const KernelSet kPortableKernels;
#endif

std::span<const CompiledSet> compiled_sets() noexcept {
  static constexpr CompiledSet kSets[] = {
#if defined(__x86_64__)
    {&kAvx512Kernels, kAvx512},
    {&kAvx2Kernels, kAvx2},
    {&kSse2Kernels, kSse2},
#elif defined(__aarch64__)
    {&kNeonKernels, {}},
#elif defined(__wasm__)
    {&kWasmKernels, {}},
#else
    {&kPortableKernels, {}},
#endif
  };
  return kSets;
}

bool CompiledSet::runs_here() const noexcept { return std::ranges::all_of(extensions, machine_has); }

const KernelSet* select(std::string_view name) noexcept {
  for (const std::span<const CompiledSet> sets : {compiled_sets(), test_sets()}) {
    for (const CompiledSet& set : sets) {
      if ((name.empty() || set.kernels->instruction_set == name) && set.runs_here()) return set.kernels;
    }
  }
  return nullptr;
}

}  // namespace conv2d::micro_kernels
