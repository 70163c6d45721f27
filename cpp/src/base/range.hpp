#pragma once

#include <algorithm>
#include <cstdint>

#include "dcheck/dcheck.hpp"

/// Ranges of integers, divisions that round up, and the parts of threads.
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

/// Calls visit(n, row, Range of columns) for the flat positions of `range` in a batch of rows x cols grids, in
/// row-major order, with adjacent positions of a row at a time.
template <class Visit>
void for_each_row_span(Range range, std::int64_t rows, std::int64_t cols, Visit visit) noexcept {
  if (range.size() <= 0) return;
  CONV2D_DCHECK(range.begin >= 0 && rows >= 1 && cols >= 1);
  std::int64_t col = range.begin % cols;
  std::int64_t row = range.begin / cols % rows;
  std::int64_t n = range.begin / cols / rows;
  for (std::int64_t left = range.size(); left > 0;) {
    const std::int64_t count = std::min(cols - col, left);
    visit(n, row, Range{col, col + count});
    left -= count;
    col = 0;
    if (++row < rows) continue;
    row = 0;
    ++n;
  }
}

/// The same for one position at a time: visit(n, row, col). With its own loop: as spans of one, im2col was up to 25 %
/// slower.
template <class Visit>
void for_each_position(Range range, std::int64_t rows, std::int64_t cols, Visit visit) noexcept {
  if (range.size() <= 0) return;
  CONV2D_DCHECK(range.begin >= 0 && rows >= 1 && cols >= 1);
  std::int64_t col = range.begin % cols;
  std::int64_t row = range.begin / cols % rows;
  std::int64_t n = range.begin / cols / rows;
  for (std::int64_t t = range.begin; t < range.end; ++t) {
    visit(n, row, col);
    if (++col < cols) continue;
    col = 0;
    if (++row < rows) continue;
    row = 0;
    ++n;
  }
}

/// Whether there can be several threads. WebAssembly has none unless it was built for them. The constant lets the
/// compiler drop all code about parts from a module without threads.
#if defined(__EMSCRIPTEN__) && !defined(__EMSCRIPTEN_PTHREADS__)
inline constexpr bool kThreads = false;
#else
inline constexpr bool kThreads = true;
#endif

/// The share of a pass that one thread computes: the outermost level of division (see engines/README.md).
struct Part {
  int index = 0;
  int count = 1;

  [[nodiscard]] constexpr bool whole() const noexcept { return !kThreads || count == 1; }
  /// Its range of `units` units. Ranges are contiguous and differ by at most one unit. The last part has the most.
  [[nodiscard]] constexpr Range of(std::int64_t units) const noexcept {
    return whole() ? Range{0, units} : Range{units * index / count, units * (index + 1) / count};
  }
  /// Its range of `all` elements in units of `unit`; only the last unit may be smaller.
  [[nodiscard]] constexpr Range of(std::int64_t all, std::int64_t unit) const noexcept {
    const Range units = of(ceil_div(all, unit));
    return {std::min(units.begin * unit, all), std::min(units.end * unit, all)};
  }
};

/// The number of parts, at most `most`, each with at least one of `units` units; one part if there are no units.
constexpr int parts_of(std::int64_t units, int most) noexcept {
  return kThreads ? static_cast<int>(std::clamp<std::int64_t>(units, 1, most)) : 1;
}

/// The fraction of `units` units in the largest of `parts` parts.
constexpr double largest_part(std::int64_t units, int parts) noexcept {
  if (!kThreads || parts == 1) return 1.0;
  return static_cast<double>(Part{parts - 1, parts}.of(units).size()) / static_cast<double>(units);
}

}  // namespace conv2d
