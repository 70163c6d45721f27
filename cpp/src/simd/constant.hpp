#pragma once

#include <cstddef>

namespace conv2d::simd {

/// A number as a type. std::integral_constant would do, but for its conversion: without optimisation that is a
/// function, of which the linker keeps one for all instruction sets.
template <std::ptrdiff_t kValue>
struct Constant {
  // NOLINTNEXTLINE(google-explicit-constructor): it stands for the number
  [[gnu::always_inline]] constexpr operator std::ptrdiff_t() const noexcept { return kValue; }
};

}  // namespace conv2d::simd
