#pragma once

#include <cstdint>

#include "conv2d/conv_desc.hpp"

namespace conv2d {

/// The integers from `first` to `last`, both included; `last` may be the largest integer. Empty when last < first.
struct Interval {
  std::int64_t first = 1;
  std::int64_t last = 0;
};

/// The solutions of solve(), as an interval.
Interval solutions(const Axis& axis, AxisField field, std::int64_t lowest, std::int64_t highest) noexcept;

}  // namespace conv2d
