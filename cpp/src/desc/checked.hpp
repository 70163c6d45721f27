#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>

namespace conv2d {

/// A 64-bit integer that remembers whether any step of its computation overflowed, so that a formula can be written
/// as it is and checked once at its end. Every size of the library is computed with it.
class CheckedInt {
 public:
  constexpr CheckedInt(std::int64_t value) noexcept : value_(value) {}  // NOLINT(*-explicit-*)

  [[nodiscard]] constexpr bool fits() const noexcept { return fits_; }
  /// Precondition: fits().
  [[nodiscard]] constexpr std::int64_t value() const noexcept { return value_; }
  [[nodiscard]] constexpr std::int64_t value_or(std::int64_t fallback) const noexcept {
    return fits_ ? value_ : fallback;
  }

  friend constexpr CheckedInt operator+(CheckedInt a, CheckedInt b) noexcept {
    CheckedInt sum(0);
    sum.fits_ = !__builtin_add_overflow(a.value_, b.value_, &sum.value_) && a.fits_ && b.fits_;
    return sum;
  }
  friend constexpr CheckedInt operator-(CheckedInt a, CheckedInt b) noexcept {
    CheckedInt difference(0);
    difference.fits_ = !__builtin_sub_overflow(a.value_, b.value_, &difference.value_) && a.fits_ && b.fits_;
    return difference;
  }
  friend constexpr CheckedInt operator*(CheckedInt a, CheckedInt b) noexcept {
    CheckedInt product(0);
    product.fits_ = !__builtin_mul_overflow(a.value_, b.value_, &product.value_) && a.fits_ && b.fits_;
    return product;
  }

 private:
  std::int64_t value_;
  bool fits_ = true;
};

/// The largest number that sizes may multiply to: exact as a double, and a thousand times as much fits into 63 bits, so
/// that no estimate of a cost, a workspace or an error overflows.
inline constexpr std::int64_t kMaxCount = std::int64_t{1} << 53;

/// The largest number of floats that one tensor can have on this target: its bytes must fit a ptrdiff_t.
inline constexpr std::int64_t kMaxFloats =
    std::min<std::int64_t>(kMaxCount, std::numeric_limits<std::ptrdiff_t>::max() / sizeof(float));

}  // namespace conv2d
