#pragma once

#include <array>
#include <cstdint>
#include <limits>

/// 64-bit counts cross the boundary as doubles: exact up to 2^53, more than any size that fits the module's memory.
namespace conv2d::bindings {

inline constexpr double kLargestExactCount = 9007199254740992.0;  // 2^53

/// Rounds towards zero and saturates; NaN becomes the smallest value, which every check for a size refuses.
constexpr std::int64_t to_count(double value) noexcept {
  if (value > kLargestExactCount) {
    return std::numeric_limits<std::int64_t>::max();
  }
  if (!(value >= -kLargestExactCount)) {
    return std::numeric_limits<std::int64_t>::min();
  }
  return static_cast<std::int64_t>(value);
}

using Shape = std::array<double, 4>;

constexpr Shape to_shape(const std::array<std::int64_t, 4>& shape) noexcept {
  return {static_cast<double>(shape[0]), static_cast<double>(shape[1]), static_cast<double>(shape[2]),
          static_cast<double>(shape[3])};
}

}  // namespace conv2d::bindings
