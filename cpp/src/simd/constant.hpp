#pragma once

#include <cstddef>

namespace conv2d::simd {

/// A number as a type. std::integral_constant does not serve: without optimization its conversion is a function, and
/// the linker keeps one copy of it for all instruction sets.
template <std::ptrdiff_t kValue>
struct Constant {
  // NOLINTNEXTLINE(google-explicit-constructor): it is used as the number
  [[gnu::always_inline]] constexpr operator std::ptrdiff_t() const noexcept { return kValue; }
};

}  // namespace conv2d::simd
