#include "simd/instruction_set.hpp"

#include "simd/batch.hpp"

namespace conv2d::simd {

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

bool available(InstructionSet set) noexcept {
#if defined(__x86_64__)
  const auto machine = xsimd::available_architectures();
  switch (set) {
    case InstructionSet::sse2:
      return true;
    case InstructionSet::avx2:
      return machine.has(Avx2{});
    case InstructionSet::avx512:
      // All that *_avx512.cpp is compiled with; VL came with BW and DQ in every processor.
      return machine.has(Avx2{}) && machine.has(xsimd::avx512f{}) && machine.has(xsimd::avx512cd{}) &&
             machine.has(xsimd::avx512dq{}) && machine.has(xsimd::avx512bw{});
    default:
      return false;
  }
#elif defined(__aarch64__)
  return set == InstructionSet::neon;
#else
  return set == InstructionSet::wasm;
#endif
}

}  // namespace conv2d::simd
