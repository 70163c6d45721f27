#pragma once

#include <cstdint>

/// 64-bit counts are passed to and from JavaScript as doubles: exact up to 2^53, which exceeds the module's memory.
namespace conv2d::bindings {

/// Rounds towards zero and saturates. NaN becomes the smallest value, which all size checks reject. Not inlined: each
/// of a dozen calls would add 100 bytes to the first download.
std::int64_t to_count(double value) noexcept;

}  // namespace conv2d::bindings
