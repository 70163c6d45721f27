#pragma once

#include <cstdint>

/// 64-bit counts cross the boundary as doubles: exact up to 2^53, more than any size that fits the module's memory.
namespace conv2d::bindings {

/// Rounds towards zero and saturates; NaN becomes the smallest value, which every check for a size refuses. Out of
/// line: a dozen calls of it would each be a hundred bytes of the first download.
std::int64_t to_count(double value) noexcept;

}  // namespace conv2d::bindings
