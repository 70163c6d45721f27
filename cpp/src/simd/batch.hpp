#pragma once

#include <cstddef>
#include <xsimd/xsimd.hpp>
#if defined(__wasm_relaxed_simd__)
#include <wasm_simd128.h>
#endif

/// The vector type of the micro-kernels, and the one place where it is decided how a multiply-add rounds. Everything is
/// a template over the architecture, so that code compiled for one instruction set never serves another.
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

/// All lanes `value`.
template <class Arch>
inline Floats<Arch> broadcast(float value) noexcept {
  return Floats<Arch>::broadcast(value);
}

/// A register whose lane i < kCount is the sum of the lanes of values[i].
template <class Arch, int kCount>
inline Floats<Arch> sums(const Floats<Arch>* values) noexcept {
  static_assert(kCount <= kLanes<Arch>);
  Floats<Arch> rows[kLanes<Arch>];
  for (int i = 0; i < kLanes<Arch>; ++i) rows[i] = i < kCount ? values[i] : broadcast<Arch>(0.0F);
  return xsimd::haddp(rows);
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
