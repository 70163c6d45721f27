#include "shared/sizes.hpp"

#include <limits>

namespace conv2d::bindings {

std::int64_t to_count(double value) noexcept {
  constexpr double kLargestExactCount = 9007199254740992.0;  // 2^53
  if (value > kLargestExactCount) {
    return std::numeric_limits<std::int64_t>::max();
  }
  if (!(value >= -kLargestExactCount)) {
    return std::numeric_limits<std::int64_t>::min();
  }
  return static_cast<std::int64_t>(value);
}

}  // namespace conv2d::bindings
