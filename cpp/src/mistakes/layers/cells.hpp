#pragma once

#include <algorithm>
#include <cstdint>
#include <span>

#include "desc/windows.hpp"
#include "mistakes/layers.hpp"

/// What the mistakes of several kinds read: cells of tensors and windows.
namespace conv2d::mistakes {

inline double at(std::span<const float> tensor, std::int64_t index) {
  return static_cast<double>(tensor[static_cast<std::size_t>(index)]);
}

inline double cells_of(const LayerProblem& p, std::int64_t y, bool count_padding) {
  if (count_padding) return static_cast<double>(p.geometry.kh * p.geometry.kw);
  double count = 0;
  for_each_window_cell(p.geometry, y, [&](std::int64_t) { ++count; });
  return count;
}

/// The last window that reads the cell; -1 if there is none.
inline std::int64_t last_window(const LayerProblem& p, std::int64_t x) {
  std::int64_t last = -1;
  for_each_window_of_cell(p.geometry, x, [&](std::int64_t y) { last = std::max(last, y); });
  return last;
}

/// part(window) of the first window of each image and channel, if it reads the cell; else 0.
template <class Part>
double of_first_window(const LayerProblem& p, std::int64_t x, Part part) {
  const Geometry& g = p.geometry;
  double sum = 0;
  for_each_window_of_cell(g, x, [&](std::int64_t y) {
    const std::int64_t window = g.layout == Layout::nhwc ? y / g.k : y;
    if (window % (g.oh * g.ow) == 0) sum += part(y);
  });
  return sum;
}

/// The sum over the windows that read a cell of part(window).
template <class Part>
double sum_of_windows(const LayerProblem& p, std::int64_t x, Part part) {
  double sum = 0;
  for_each_window_of_cell(p.geometry, x, [&](std::int64_t y) { sum += part(y); });
  return sum;
}

}  // namespace conv2d::mistakes
