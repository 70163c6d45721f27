#pragma once

#include <cstdint>

#include "base/checked.hpp"

/// The caller's scratch memory. A ScratchLayout counts its floats while a pass is prepared and gives the offset of each
/// piece, which the run then uses. There is no second formula that must agree.
namespace conv2d {

/// Each piece of scratch memory begins on a cache line: a load of a full AVX-512 register that crosses two lines costs
/// twice as much.
inline constexpr std::int64_t kCacheLineFloats = 16;

/// The first float at or after `memory` that begins a cache line. Skips fewer than kCacheLineFloats.
inline float* align_to_cache_line(float* memory) noexcept {
  const auto address = reinterpret_cast<std::uintptr_t>(memory) / sizeof(float);
  return memory + (kCacheLineFloats - address % kCacheLineFloats) % kCacheLineFloats;
}

/// Where a piece of scratch memory begins, in floats from a cache line.
struct Offset {
  std::int64_t floats = 0;

  [[nodiscard]] float* in(float* memory) const noexcept { return memory + floats; }
};

/// Places pieces one after the other.
class ScratchLayout {
 public:
  [[gnu::noinline]] Offset take(CheckedInt floats) noexcept {
    if (floats.value_or(1) <= 0) return {};  // its cache line may begin past the end of the memory
    const CheckedInt first = next();
    end_ = first + floats;
    return {first.value_or(0)};
  }

  /// Floats up to the end of the last piece; overflowed when they cannot be counted.
  [[nodiscard]] CheckedInt floats() const noexcept { return end_; }
  /// The same, rounded up to a whole cache line: a second copy of the layout can begin there.
  [[nodiscard]] CheckedInt next() const noexcept {
    const CheckedInt beyond = end_ + (kCacheLineFloats - 1);
    return beyond.fits() ? CheckedInt(beyond.value() / kCacheLineFloats * kCacheLineFloats) : beyond;
  }

 private:
  CheckedInt end_ = 0;
};

/// The layout with more floats. A layout that cannot be counted is the largest.
inline const ScratchLayout& larger_of(const ScratchLayout& a, const ScratchLayout& b) noexcept {
  return a.floats().value_or(kMaxCount) < b.floats().value_or(kMaxCount) ? b : a;
}

}  // namespace conv2d
