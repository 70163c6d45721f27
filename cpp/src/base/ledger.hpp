#pragma once

#include <cstdint>

#include "base/checked.hpp"

/// The caller's scratch memory. One ledger counts it while a pass is prepared and says where each place lies while it
/// runs, so that the two cannot differ.
namespace conv2d {

/// Places begin on a line of the cache: a load of a full AVX-512 register that crosses two lines costs double.
inline constexpr std::int64_t kLineFloats = 16;

/// The first float at or after `memory` that begins a line. Skips fewer than kLineFloats.
inline float* to_line(float* memory) noexcept {
  const auto address = reinterpret_cast<std::uintptr_t>(memory) / sizeof(float);
  return memory + (kLineFloats - address % kLineFloats) % kLineFloats;
}

/// Where some scratch memory lies, counted from a line on.
struct Place {
  std::int64_t first = 0;

  [[nodiscard]] float* in(float* memory) const noexcept { return memory + first; }
};

/// Gives out places one after the other.
class Ledger {
 public:
  [[gnu::noinline]] Place take(CheckedInt floats) noexcept {
    const CheckedInt first = next();
    if (floats.value_or(1) > 0) end_ = first + floats;
    return {first.value_or(0)};
  }

  /// Floats up to the end of the last place; does not fit when that cannot be counted.
  [[nodiscard]] CheckedInt floats() const noexcept { return end_; }
  /// The same up to the end of its line, where a copy of all of it can begin.
  [[nodiscard]] CheckedInt next() const noexcept {
    const CheckedInt beyond = end_ + (kLineFloats - 1);
    return beyond.fits() ? CheckedInt(beyond.value() / kLineFloats * kLineFloats) : beyond;
  }

 private:
  CheckedInt end_ = 0;
};

/// The one with more floats; one that cannot be counted has most.
inline const Ledger& neediest(const Ledger& a, const Ledger& b) noexcept {
  return a.floats().value_or(kMaxCount) < b.floats().value_or(kMaxCount) ? b : a;
}

}  // namespace conv2d
