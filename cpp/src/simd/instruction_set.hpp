#pragma once

#include <span>
#include <string_view>

namespace conv2d::simd {

/// The instruction sets that the micro-kernels are compiled for. Each target has a baseline that needs no check: sse2,
/// neon or wasm.
enum class InstructionSet { sse2, avx2, avx512, neon, wasm };

/// "sse2", "avx2" (with FMA), "avx512", "neon", "wasm".
std::string_view to_string(InstructionSet set) noexcept;

/// The extensions of x86-64 that `set` is compiled with, by the names of compiler flags ("avx512vl" of -mavx512vl).
std::span<const std::string_view> extensions(InstructionSet set) noexcept;

/// Whether this processor and its operating system have all extensions of `set`.
bool available(InstructionSet set) noexcept;

}  // namespace conv2d::simd
