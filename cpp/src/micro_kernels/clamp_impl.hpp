#pragma once

#include "dcheck/dcheck.hpp"
#include "micro_kernels/clamp.hpp"
#include "simd/batch.hpp"

namespace conv2d::micro_kernels {

/// Whether the kernels of `Arch` clamp. The page never clamps, and these kernels would be 2 % of its module.
#if defined(__wasm__)
template <class Arch>
inline constexpr bool kClampsTiles = false;
#else
template <class Arch>
inline constexpr bool kClampsTiles = true;
#endif

/// kCount registers that are about to be stored. `clamp`: null for no change.
template <class Arch, int kCount>
[[gnu::always_inline]] inline void clamp_registers([[maybe_unused]] const Clamp* clamp,
                                                   [[maybe_unused]] simd::Floats<Arch>* values) noexcept {
  if constexpr (kClampsTiles<Arch>) {
    if (!clamp) return;
    const auto lowest = simd::broadcast<Arch>(clamp->lowest), highest = simd::broadcast<Arch>(clamp->highest);
#pragma GCC unroll 32
    for (int i = 0; i < kCount; ++i) values[i] = simd::clamped<Arch>(values[i], lowest, highest);
  }
}

/// Contract in clamp.hpp.
template <class Arch>
[[gnu::noinline]] void clamp_floats(const Clamp& clamp, float* values, std::ptrdiff_t count) noexcept {
  constexpr int kLanes = simd::kLanes<Arch>;
  CONV2D_DCHECK(count >= 0 && (count == 0 || values));
  const auto lowest = simd::broadcast<Arch>(clamp.lowest), highest = simd::broadcast<Arch>(clamp.highest);
  for (; count >= kLanes; count -= kLanes, values += kLanes) {
    simd::store<Arch>(values, simd::clamped<Arch>(simd::load<Arch>(values), lowest, highest));
  }
  if (count == 0) return;
  float rest[kLanes] = {};
  simd::copy_first<Arch>(values, count, rest);
  simd::store<Arch>(rest, simd::clamped<Arch>(simd::load<Arch>(rest), lowest, highest));
  simd::copy_first<Arch>(rest, count, values);
}

}  // namespace conv2d::micro_kernels
