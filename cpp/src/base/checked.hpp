#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>

#include "compiler/compiler.hpp"
#include "dcheck/dcheck.hpp"

namespace conv2d {

/// Whether the result does not fit. It is then written without its high bits, or not written.
#if CONV2D_GNU_LANGUAGE
constexpr bool add_overflows(std::int64_t a, std::int64_t b, std::int64_t& sum) noexcept {
  return __builtin_add_overflow(a, b, &sum);
}
constexpr bool subtract_overflows(std::int64_t a, std::int64_t b, std::int64_t& difference) noexcept {
  return __builtin_sub_overflow(a, b, &difference);
}
constexpr bool multiply_overflows(std::int64_t a, std::int64_t b, std::int64_t& product) noexcept {
  return __builtin_mul_overflow(a, b, &product);
}
#else
constexpr bool add_overflows(std::int64_t a, std::int64_t b, std::int64_t& sum) noexcept {
  sum = static_cast<std::int64_t>(static_cast<std::uint64_t>(a) + static_cast<std::uint64_t>(b));
  return ((a ^ sum) & (b ^ sum)) < 0;
}
constexpr bool subtract_overflows(std::int64_t a, std::int64_t b, std::int64_t& difference) noexcept {
  difference = static_cast<std::int64_t>(static_cast<std::uint64_t>(a) - static_cast<std::uint64_t>(b));
  return ((a ^ b) & (a ^ difference)) < 0;
}
constexpr bool multiply_overflows(std::int64_t a, std::int64_t b, std::int64_t& product) noexcept {
  constexpr std::int64_t kLowest = std::numeric_limits<std::int64_t>::min();
  product = static_cast<std::int64_t>(static_cast<std::uint64_t>(a) * static_cast<std::uint64_t>(b));
  if (a == 0 || b == 0) return false;
  return (a == -1 && b == kLowest) || (b == -1 && a == kLowest) || product / b != a;
}
#endif

/// A 64-bit integer that remembers whether any step of its computation overflowed. A formula is written as usual and
/// checked once at its end. Every size of the library is computed with it. The operators are not inlined, so that the
/// module has each of them once.
class CheckedInt {
 public:
  constexpr CheckedInt(std::int64_t value) noexcept : value_(value) {}  // NOLINT(*-explicit-*)

  [[nodiscard]] constexpr bool fits() const noexcept { return value_ != kOverflow; }
  /// Precondition: fits().
  [[nodiscard]] constexpr std::int64_t value() const noexcept {
    CONV2D_DCHECK(fits());
    return value_;
  }
  [[nodiscard]] constexpr std::int64_t value_or(std::int64_t fallback) const noexcept {
    return fits() ? value_ : fallback;
  }

  [[gnu::noinline]] friend constexpr CheckedInt operator+(CheckedInt a, CheckedInt b) noexcept {
    std::int64_t sum = 0;
    return add_overflows(a.value_, b.value_, sum) ? kOverflow : checked(a, b, sum);
  }
  [[gnu::noinline]] friend constexpr CheckedInt operator-(CheckedInt a, CheckedInt b) noexcept {
    std::int64_t difference = 0;
    return subtract_overflows(a.value_, b.value_, difference) ? kOverflow : checked(a, b, difference);
  }
  [[gnu::noinline]] friend constexpr CheckedInt operator*(CheckedInt a, CheckedInt b) noexcept {
    std::int64_t product = 0;
    return multiply_overflows(a.value_, b.value_, product) ? kOverflow : checked(a, b, product);
  }

 private:
  /// The value that marks an overflow. A separate flag would be a second word, and arguments and results would then
  /// pass through memory.
  static constexpr std::int64_t kOverflow = std::numeric_limits<std::int64_t>::min();

  static constexpr CheckedInt checked(CheckedInt a, CheckedInt b, std::int64_t result) noexcept {
    return a.fits() && b.fits() ? result : kOverflow;
  }

  std::int64_t value_;
};

/// The largest product of sizes. It is exact as a double, and 63 bits hold a thousand times as much, so that no
/// estimate of a cost, a workspace or an error overflows.
inline constexpr std::int64_t kMaxCount = std::int64_t{1} << 53;

/// The largest number of floats of one tensor on this target: its bytes must fit a ptrdiff_t.
inline constexpr std::int64_t kMaxFloats =
    std::min<std::int64_t>(kMaxCount, std::numeric_limits<std::ptrdiff_t>::max() / sizeof(float));

}  // namespace conv2d
