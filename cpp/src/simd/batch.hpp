#pragma once

#include <cstddef>
#include <cstring>
#include <type_traits>
#include <xsimd/xsimd.hpp>

#include "compiler/four.hpp"
#if defined(__wasm_relaxed_simd__)
#include <wasm_simd128.h>
#elif defined(CONV2D_AARCH64)
#include <arm_neon.h>
#elif defined(__AVX512F__)
#include <immintrin.h>
#endif

/// The vector type of the micro-kernels, and the only place that decides how a multiply-add rounds. Everything is a
/// template over the architecture, so that code compiled for one instruction set never serves another. The build looks
/// for symbols that break this (cpp/cmake/CheckInstructionSets.cmake).
///
/// The kernels use only these parts of xsimd, which tests/cpp/kernels/batch_test.cpp tests for every instruction set:
///   load_unaligned, store_unaligned, broadcast, +, - and * of batches, / outside of Arm, fma, >, >= and != with | of masks, select
/// Sums across lanes, shuffles and gathers are written here: no test covers them in every backend of xsimd.
/// The architecture Portable uses nothing of xsimd.
namespace conv2d::simd {

#if defined(CONV2D_X86_64)
using Sse2 = xsimd::sse2;
using Avx2 = xsimd::fma3<xsimd::avx2>;
using Avx512 = xsimd::avx512bw;
#elif defined(CONV2D_AARCH64)
using Neon = xsimd::neon64;
#elif defined(__wasm__)
using Wasm = xsimd::wasm;
#endif

/// A number as a type. std::integral_constant does not serve: without optimization its conversion is a function, and
/// the linker keeps one copy of it for all instruction sets.
template <std::ptrdiff_t kValue>
struct Constant {
  // NOLINTNEXTLINE(google-explicit-constructor): it is used as the number
  [[gnu::always_inline]] constexpr operator std::ptrdiff_t() const noexcept { return kValue; }
};

/// Four lanes that the compiler maps to the instructions of any processor: the library's fallback where it has no other
/// set, and on every machine a set of the tests.
struct Portable {};

/// A register of Portable, with the members of xsimd::batch that the kernels use.
struct PortableFloats {
  static constexpr std::size_t size = 4;
  Four lanes;

  static PortableFloats load_unaligned(const float* from) noexcept {
    Four lanes{};
    std::memcpy(&lanes, from, sizeof lanes);
    return {lanes};
  }
  static PortableFloats broadcast(float value) noexcept { return {Four{value, value, value, value}}; }
  void store_unaligned(float* to) const noexcept { std::memcpy(to, &lanes, sizeof lanes); }

  friend PortableFloats operator+(PortableFloats a, PortableFloats b) noexcept { return {a.lanes + b.lanes}; }
  friend PortableFloats operator-(PortableFloats a, PortableFloats b) noexcept { return {a.lanes - b.lanes}; }
  friend PortableFloats operator*(PortableFloats a, PortableFloats b) noexcept { return {a.lanes * b.lanes}; }
  friend PortableFloats operator/(PortableFloats a, PortableFloats b) noexcept { return {a.lanes / b.lanes}; }
};

/// A register of floats of `Arch`.
template <class Arch>
struct FloatsOf {
  using Type = xsimd::batch<float, Arch>;
};
template <>
struct FloatsOf<Portable> {
  using Type = PortableFloats;
};
template <class Arch>
using Floats = typename FloatsOf<Arch>::Type;

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

/// Copies `count` floats and touches none beyond them. For short rows: a call to copy memory would take longer.
template <class Arch>
inline void copy_first(const float* from, std::ptrdiff_t count, float* to) noexcept {
  constexpr std::ptrdiff_t kWhole = kLanes<Arch>;
  for (; count >= kWhole; count -= kWhole, from += kWhole, to += kWhole) {
    simd::store<Arch>(to, simd::load<Arch>(from));
    // Otherwise the compiler replaces the loop by a copy of memory, which in WebAssembly leaves the module.
    CONV2D_OPAQUE(to);
  }
  const auto piece = [&](auto floats) {
    if (!(count & floats)) return;
    std::memcpy(to, from, floats * sizeof(float));
    from += floats;
    to += floats;
  };
  if constexpr (kWhole > 8) piece(Constant<8>());
  if constexpr (kWhole > 4) piece(Constant<4>());
  piece(Constant<2>());
  piece(Constant<1>());
}

/// A register with `value` in all lanes.
template <class Arch>
inline Floats<Arch> broadcast(float value) noexcept {
  return Floats<Arch>::broadcast(value);
}

/// Whether `Arch` is AVX-512. Only then store_first() exists: it is one instruction.
#if defined(__AVX512F__)
template <class Arch>
inline constexpr bool kHasAvx512 = std::is_same_v<Arch, Avx512>;
#else
template <class Arch>
inline constexpr bool kHasAvx512 = false;
#endif

/// Writes the first `count` lanes, 0 <= count <= kLanes, and touches no float beyond them.
template <class Arch>
inline void store_first([[maybe_unused]] float* to, [[maybe_unused]] std::ptrdiff_t count,
                        [[maybe_unused]] Floats<Arch> values) noexcept {
  static_assert(kHasAvx512<Arch>);
#if defined(__AVX512F__)
  _mm512_mask_storeu_ps(to, static_cast<__mmask16>((1U << count) - 1U), values);
#endif
}

/// A value and what belongs to it, lane by lane.
template <class Arch>
struct Chosen {
  Floats<Arch> value, where;
};

/// Lane by lane a where a.value > b.value or a.value is NaN, else b. `where` is only moved, so it may hold the bits of
/// integers.
template <class Arch>
inline Chosen<Arch> greater_or_nan(Chosen<Arch> a, Chosen<Arch> b) noexcept {
  if constexpr (std::is_same_v<Arch, Portable>) {
    const auto first = (a.value.lanes > b.value.lanes) | (a.value.lanes != a.value.lanes);
    return {{choose(first, a.value.lanes, b.value.lanes)}, {choose(first, a.where.lanes, b.where.lanes)}};
  } else {
    const auto first = (a.value > b.value) | (a.value != a.value);
    return {xsimd::select(first, a.value, b.value), xsimd::select(first, a.where, b.where)};
  }
}

/// Lane by lane, a value <= lowest becomes `lowest`, and then a value >= highest becomes `highest`. NaN stays, and -0
/// becomes a `lowest` of +0.
template <class Arch>
inline Floats<Arch> clamped(Floats<Arch> value, Floats<Arch> lowest, Floats<Arch> highest) noexcept {
  if constexpr (std::is_same_v<Arch, Portable>) {
    const Four least = choose(lowest.lanes >= value.lanes, lowest.lanes, value.lanes);
    return {choose(least >= highest.lanes, highest.lanes, least)};
  } else {
    value = xsimd::select(lowest >= value, lowest, value);
    return xsimd::select(value >= highest, highest, value);
  }
}

/// to[i] = the sum of the lanes of values[i], for `kCount` registers.
///
/// xsimd 13.2.0 has haddp for this, but its AVX-512 form puts sums into the wrong lanes: it swaps 2 and 3 with 4 and 5,
/// and 10 and 11 with 12 and 13. batch_test.cpp shows it. This function first adds the quarters
/// of a register, through memory, and then reduces four registers at a time. Sums of single floats took 15 % longer for
/// the whole dx of S1 (tiles that are 18 registers deep).
template <class Arch, int kCount>
[[gnu::always_inline]] inline void sums(const Floats<Arch>* values, float* to) noexcept {
  constexpr int kFours = kLanes<Arch> / 4;
  static_assert(kFours * 4 == kLanes<Arch>);
  const auto quarter = [](const Floats<Arch>& value) {
    float lanes[kLanes<Arch>];
    simd::store<Arch>(lanes, value);
    Four fours[kFours];
    std::memcpy(fours, lanes, sizeof lanes);
    Four sum = fours[0];
#pragma GCC unroll 4
    for (int q = 1; q < kFours; ++q) sum = sum + fours[q];
    return sum;
  };
#pragma GCC unroll 4
  for (int i = 0; i < kCount; i += 4) {
    Four of[4];
#pragma GCC unroll 4
    for (int j = 0; j < 4; ++j) of[j] = quarter(values[i + j < kCount ? i + j : kCount - 1]);
    const Four ab = pick<0, 4, 1, 5>(of[0], of[1]) + pick<2, 6, 3, 7>(of[0], of[1]);
    const Four cd = pick<0, 4, 1, 5>(of[2], of[3]) + pick<2, 6, 3, 7>(of[2], of[3]);
    const Four all = pick<0, 1, 4, 5>(ab, cd) + pick<2, 3, 6, 7>(ab, cd);
    std::memcpy(to + i, &all, static_cast<std::size_t>(kCount - i < 4 ? kCount - i : 4) * sizeof(float));
  }
}

/// a / b, rounded once. xsimd 13.2.0 multiplies by an estimate of 1 / b on Arm, although neon64 has the instruction.
template <class Arch>
inline Floats<Arch> quotient(Floats<Arch> a, Floats<Arch> b) noexcept {
#if defined(CONV2D_AARCH64)
  if constexpr (std::is_same_v<Arch, Neon>) return vdivq_f32(a, b);
#endif
  return a / b;
}

/// a * b + c: fused (one rounding) where the architecture has the instruction, else two roundings. xsimd's WebAssembly
/// backend has no fused form, and relaxed SIMD's doubles the arithmetic per cycle.
template <class Arch>
inline Floats<Arch> multiply_add(Floats<Arch> a, Floats<Arch> b, Floats<Arch> c) noexcept {
  if constexpr (std::is_same_v<Arch, Portable>) {
#if CONV2D_GNU_LANGUAGE && defined(__FP_FAST_FMAF)
    PortableFloats fused;
#pragma GCC unroll 4
    for (int i = 0; i < 4; ++i) fused.lanes[i] = __builtin_fmaf(a.lanes[i], b.lanes[i], c.lanes[i]);
    return fused;
#else
    return a * b + c;
#endif
  } else {
#if defined(__wasm_relaxed_simd__)
    return wasm_f32x4_relaxed_madd(a, b, c);
#else
    return xsimd::fma(a, b, c);
#endif
  }
}

}  // namespace conv2d::simd
