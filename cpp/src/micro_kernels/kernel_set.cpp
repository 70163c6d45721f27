#include "micro_kernels/kernel_set.hpp"

#include <algorithm>

#include "compiler/compiler.hpp"
#if defined(CONV2D_X86_64) && defined(_WIN32)
#include <intrin.h>
#endif

namespace conv2d::micro_kernels {
namespace {

#if defined(CONV2D_X86_64)
// As in cpp/cmake/InstructionSets.cmake; a test compares both.
constexpr std::string_view kSse2[] = {"sse2"};
constexpr std::string_view kAvx2[] = {"avx2", "fma"};
constexpr std::string_view kAvx512[] = {"avx512f", "avx512cd", "avx512dq", "avx512bw", "avx512vl", "avx2", "fma"};

/// Whether the processor and its operating system have the extension.
#if defined(_WIN32)
// Here __builtin_cpu_supports needs a library that MSVC lacks and clang-cl does not link.
[[gnu::target("xsave")]] bool machine_has(std::string_view extension) noexcept {
  if (extension == "sse2") return true;
  int of[4];  // EAX, EBX, ECX, EDX
  __cpuid(of, 0);
  if (of[0] < 7) return false;
  __cpuid(of, 1);
  const auto first = static_cast<unsigned>(of[2]);
  constexpr unsigned kOsSavesRegisters = 1U << 27;
  if (!(first & kOsSavesRegisters)) return false;
  const auto saved = static_cast<unsigned>(_xgetbv(0));
  constexpr unsigned kAvxRegisters = 0x6, kAvx512Registers = 0xE6;
  if ((saved & kAvxRegisters) != kAvxRegisters) return false;
  if (extension == "fma") return first >> 12 & 1;
  __cpuidex(of, 7, 0);
  const auto seventh = static_cast<unsigned>(of[1]);
  if (extension == "avx2") return seventh >> 5 & 1;
  if ((saved & kAvx512Registers) != kAvx512Registers) return false;
  if (extension == "avx512f") return seventh >> 16 & 1;
  if (extension == "avx512cd") return seventh >> 28 & 1;
  if (extension == "avx512dq") return seventh >> 17 & 1;
  if (extension == "avx512bw") return seventh >> 30 & 1;
  return extension == "avx512vl" && seventh >> 31 & 1;
}
#else
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
#endif
#else
bool machine_has(std::string_view) noexcept { return true; }
#endif

}  // namespace

#if defined(CONV2D_X86_64)
extern const KernelSet kSse2Kernels, kAvx2Kernels, kAvx512Kernels;
#elif defined(CONV2D_AARCH64)
extern const KernelSet kNeonKernels;
#elif defined(__wasm__)
extern const KernelSet kWasmKernels;
#else
extern const KernelSet kPortableKernels;
#endif

std::span<const CompiledSet> compiled_sets() noexcept {
  static constexpr CompiledSet kSets[] = {
#if defined(CONV2D_X86_64)
    {&kAvx512Kernels, kAvx512},
    {&kAvx2Kernels, kAvx2},
    {&kSse2Kernels, kSse2},
#elif defined(CONV2D_AARCH64)
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
