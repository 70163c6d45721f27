#pragma once

#include <cstddef>
#include <cstring>
#include <type_traits>
#include <xsimd/xsimd.hpp>
#if defined(__wasm_relaxed_simd__)
#include <wasm_simd128.h>
#endif

/// The vector type of the micro-kernels, and the one place where it is decided how a multiply-add rounds. Everything is
/// a template over the architecture, so that code compiled for one instruction set never serves another; the build
/// looks for symbols that break this (cpp/cmake/CheckInstructionSets.cmake).
///
/// Of xsimd the kernels use what follows and nothing else, each proven for every instruction set by
/// tests/cpp/kernels/batch_test.cpp:
///   load_unaligned, store_unaligned, broadcast, +, - and * of batches, fma, available_architectures
/// What is cleverer (sums across lanes, shuffles, gathers) is written on these: a backend that nobody ran is not to be
/// trusted with it.
namespace conv2d::simd {

#if defined(__x86_64__)
using Sse2 = xsimd::sse2;
using Avx2 = xsimd::fma3<xsimd::avx2>;
using Avx512 = xsimd::avx512bw;
#elif defined(__aarch64__)
using Neon = xsimd::neon64;
#elif defined(__wasm__)
using Wasm = xsimd::wasm;
#endif

/// A register of floats of `Arch`.
template <class Arch>
using Floats = xsimd::batch<float, Arch>;

template <class Arch>
inline constexpr int kLanes = static_cast<int>(Floats<Arch>::size);

/// Reads kLanes floats from any address.
template <class Arch>
inline Floats<Arch> load(const float* from) noexcept {
  return Floats<Arch>::load_unaligned(from);
}

/// Writes kLanes floats to any address.
template <class Arch>
inline void store(float* to, Floats<Arch> values) noexcept {
  values.store_unaligned(to);
}

/// Copies `count` floats, at most what a few registers hold, and touches none beyond them. Of a loop of single floats
/// the compiler would make one call of memmove, which in WebAssembly leaves the module.
template <class Arch>
inline void copy_first(const float* from, std::ptrdiff_t count, float* to) noexcept {
  constexpr std::ptrdiff_t kWhole = kLanes<Arch>;
  for (; count >= kWhole; count -= kWhole, from += kWhole, to += kWhole) store<Arch>(to, load<Arch>(from));
  const auto piece = [&](auto floats) {
    if (!(count & floats)) return;
    std::memcpy(to, from, floats * sizeof(float));
    from += floats;
    to += floats;
  };
  if constexpr (kWhole > 8) piece(std::integral_constant<std::ptrdiff_t, 8>());
  if constexpr (kWhole > 4) piece(std::integral_constant<std::ptrdiff_t, 4>());
  piece(std::integral_constant<std::ptrdiff_t, 2>());
  piece(std::integral_constant<std::ptrdiff_t, 1>());
}

/// All lanes `value`.
template <class Arch>
inline Floats<Arch> broadcast(float value) noexcept {
  return Floats<Arch>::broadcast(value);
}

/// to[i] = the sum of the lanes of values[i], of `kCount` of them. Through memory, four lanes at a time.
///
/// xsimd 13.2.0 has haddp for this, whose AVX-512 form returns sums in each other's lanes: 2 and 3 exchanged with 4 and
/// 5, 10 and 11 with 12 and 13. batch_test.cpp shows it ("the sums of lanes").
template <class Arch, int kCount>
[[gnu::always_inline]] inline void sums(const Floats<Arch>* values, float* to) noexcept {
  constexpr int kQuarter = kLanes<Arch> / 4;
  static_assert(kQuarter * 4 == kLanes<Arch>);
  // The compilers' own vectors of four floats, which every target has: a type without functions, of which no code could
  // serve another instruction set.
  using Four [[gnu::vector_size(16), gnu::aligned(4), gnu::may_alias]] = float;
  float lanes[kCount][kLanes<Arch>];
#pragma GCC unroll 16
  for (int i = 0; i < kCount; ++i) store<Arch>(lanes[i], values[i]);
#pragma GCC unroll 16
  for (int i = 0; i < kCount; ++i) {
    const auto* fours = reinterpret_cast<const Four*>(lanes[i]);
    Four sum = fours[0];
#pragma GCC unroll 4
    for (int q = 1; q < kQuarter; ++q) sum += fours[q];
    to[i] = (sum[0] + sum[1]) + (sum[2] + sum[3]);
  }
}

/// a * b + c: fused (one rounding) where the architecture has the instruction, else two roundings. xsimd's WASM backend
/// has no fused form, and relaxed SIMD's doubles the arithmetic that a browser can do per cycle.
template <class Arch>
inline Floats<Arch> multiply_add(Floats<Arch> a, Floats<Arch> b, Floats<Arch> c) noexcept {
#if defined(__wasm_relaxed_simd__)
  return wasm_f32x4_relaxed_madd(a, b, c);
#else
  return xsimd::fma(a, b, c);
#endif
}

}  // namespace conv2d::simd
