#pragma once

#include <algorithm>
#include <cstdint>

#include "check/check.hpp"

/// Ranges of integers, and divisions that round up.
namespace conv2d {

/// The integers begin <= t < end.
struct Range {
  std::int64_t begin = 0;
  std::int64_t end = 0;

  [[nodiscard]] constexpr std::int64_t size() const noexcept { return end - begin; }
};

/// The t in [0, count) for which 0 <= offset + t * step < size: the taps of a window inside the image, or the windows
/// that have a given tap inside. No intermediate exceeds the numbers given, so that any Geometry is safe.
constexpr Range inside(std::int64_t count, std::int64_t step, std::int64_t offset, std::int64_t size) noexcept {
  CONV2D_DCHECK(count >= 0 && step >= 1 && size >= 0);
  // A division costs as much as several multiply-adds.
  const auto steps = [step](std::int64_t cells) { return step == 1 ? cells : cells / step; };
  const std::int64_t begin = offset >= 0 ? 0 : 1 + steps(-offset - 1);
  const std::int64_t end = size <= offset ? 0 : 1 + steps(size - offset - 1);
  return {std::min(begin, count), std::clamp(end, std::min(begin, count), count)};
}

/// all / size, rounded up; 0 when `all` is 0 or less. Nothing overflows. Not inlined: the module calls it in fifty
/// places.
[[gnu::noinline]] constexpr std::int64_t ceil_div(std::int64_t all, std::int64_t size) noexcept {
  CONV2D_DCHECK(size >= 1);
  return all > 0 ? (all - 1) / size + 1 : 0;
}

/// `all` rounded up to a multiple of `size`. The result must fit.
constexpr std::int64_t round_up(std::int64_t all, std::int64_t size) noexcept { return ceil_div(all, size) * size; }

/// The size of equal parts, at most `most` each, that cover `all`; only the last part may be smaller. At least 1.
constexpr std::int64_t even_part(std::int64_t all, std::int64_t most) noexcept {
  const std::int64_t parts = ceil_div(all, std::max<std::int64_t>(1, most));
  return parts > 1 ? ceil_div(all, parts) : std::max<std::int64_t>(1, all);
}

}  // namespace conv2d
