#include "simd/instruction_set.hpp"

#if defined(__x86_64__)
#include <cpuid.h>
#endif

#include <algorithm>

#include "simd/batch.hpp"

namespace conv2d::simd {

#if defined(__x86_64__)
namespace {

// As in cpp/cmake/InstructionSets.cmake; a test compares both.
constexpr std::string_view kSse2[] = {"sse2"};
constexpr std::string_view kAvx2[] = {"avx2", "fma"};
constexpr std::string_view kAvx512[] = {"avx512f", "avx512cd", "avx512dq", "avx512bw", "avx512vl", "avx2", "fma"};

/// Bit 31 of EBX of CPUID's leaf 7, which xsimd does not ask for.
bool has_avx512vl() noexcept {
  unsigned eax = 0, ebx = 0, ecx = 0, edx = 0;
  return __get_cpuid_count(7, 0, &eax, &ebx, &ecx, &edx) != 0 && (ebx >> 31) != 0;
}

bool machine_has(std::string_view extension) noexcept {
  const auto machine = xsimd::available_architectures();
  if (extension == "sse2") return machine.has(xsimd::sse2{});
  if (extension == "avx2") return machine.has(xsimd::avx2{});
  if (extension == "fma") return machine.has(xsimd::fma3<xsimd::avx2>{});
  if (extension == "avx512f") return machine.has(xsimd::avx512f{});
  if (extension == "avx512cd") return machine.has(xsimd::avx512cd{});
  if (extension == "avx512dq") return machine.has(xsimd::avx512dq{});
  if (extension == "avx512bw") return machine.has(xsimd::avx512bw{});
  // When the operating system supports avx512f, it supports all of AVX-512.
  if (extension == "avx512vl") return machine.has(xsimd::avx512f{}) && has_avx512vl();
  return false;
}

}  // namespace
#endif

std::string_view to_string(InstructionSet set) noexcept {
  switch (set) {
    case InstructionSet::sse2:
      return "sse2";
    case InstructionSet::avx2:
      return "avx2";
    case InstructionSet::avx512:
      return "avx512";
    case InstructionSet::neon:
      return "neon";
    case InstructionSet::wasm:
      return "wasm";
  }
  return "unknown";
}

std::span<const std::string_view> extensions([[maybe_unused]] InstructionSet set) noexcept {
#if defined(__x86_64__)
  switch (set) {
    case InstructionSet::sse2:
      return kSse2;
    case InstructionSet::avx2:
      return kAvx2;
    case InstructionSet::avx512:
      return kAvx512;
    default:
      break;
  }
#endif
  return {};
}

bool available(InstructionSet set) noexcept {
#if defined(__x86_64__)
  const std::span<const std::string_view> needed = extensions(set);
  return !needed.empty() && std::ranges::all_of(needed, machine_has);
#elif defined(__aarch64__)
  return set == InstructionSet::neon;
#else
  return set == InstructionSet::wasm;
#endif
}

}  // namespace conv2d::simd
