#pragma once

#include <string_view>

namespace conv2d::simd {

/// What the micro-kernels are compiled for. Every target has a baseline that needs no check: sse2, neon or wasm.
enum class InstructionSet { sse2, avx2, avx512, neon, wasm };

/// "sse2", "avx2" (with FMA), "avx512", "neon", "wasm".
std::string_view to_string(InstructionSet set) noexcept;

/// Whether this machine, and its operating system, can run code compiled for `set`.
bool available(InstructionSet set) noexcept;

}  // namespace conv2d::simd
