#pragma once

#include <array>
#include <cstdint>
#include <initializer_list>
#include <string_view>

#include "base/checked.hpp"
#include "base/text.hpp"
#include "check/check.hpp"
#include "conv2d/status.hpp"

namespace conv2d::trace {

/// Actual and expected number of elements of a span; expected < 0: the span is not read.
struct Length {
  std::string_view name;
  std::size_t actual;
  std::int64_t expected;
};

/// Error for the first span with a wrong length.
inline Status check_lengths(std::initializer_list<Length> lengths) {
  for (const Length& l : lengths) {
    if (l.expected < 0 || l.actual == static_cast<std::uint64_t>(l.expected)) continue;
    return {ErrorCode::length_mismatch, l.name, text(l.name, " has ", l.actual, " elements, but needs ", l.expected)};
  }
  return {};
}

/// Error unless 0 <= steps <= total.
inline Status check_steps(std::string_view field, std::int64_t steps, std::int64_t total) {
  if (steps >= 0 && steps <= total) return {};
  return {ErrorCode::invalid_argument, field, text(field, " is ", steps, ", but must be from 0 to ", total)};
}

/// Error: no memory to compute `field`.
[[gnu::noinline]] inline Status out_of_memory(std::string_view field) {
  return {ErrorCode::out_of_memory, field, text(field, " cannot be computed: not enough memory")};
}

/// Number of elements. Precondition: it fits in 63 bits, as for all shapes of stage_shape and process_shape.
constexpr std::int64_t elements(const std::array<std::int64_t, 4>& shape) noexcept {
  CONV2D_DCHECK((CheckedInt(shape[0]) * shape[1] * shape[2] * shape[3]).fits());
  return shape[0] * shape[1] * shape[2] * shape[3];
}

}  // namespace conv2d::trace
