#pragma once

#include <cmath>
#include <cstdint>

#include "base/strided_view.hpp"
#include "desc/windows.hpp"
#include "mistakes/layers/cells.hpp"

/// Mistakes of transposed convolution. The geometry is that of the convolution from y to x: its dx is y, its y is dx.
namespace conv2d::mistakes::conv_transpose {

/// How a program reads w and the place of a window.
struct Variant {
  bool flips = false;     ///< the kernel, by 180 degrees
  bool swaps = false;     ///< w has its channels in the order of a convolution from x to y
  bool cuts_end = false;  ///< the padding of both sides is cut off at the end
  bool is_size = false;   ///< the sum of |products|
};

inline double weight(const LayerProblem& p, Variant v, std::int64_t row, std::int64_t col, std::int64_t m,
                     std::int64_t c) {
  const Geometry& g = p.geometry;
  if (v.flips) row = g.kh - 1 - row, col = g.kw - 1 - col;
  if (!v.swaps) return static_cast<double>(w_view(p.w.data(), g)(row, col, m % g.group_c, c));
  const auto w = weights_view(p.w.data(), g.weights_layout, g.kh, g.kw, g.group_k, g.c);
  return static_cast<double>(w(row, col, c % g.group_k, m));
}

/// Without b: the sum over the windows of y that reach a cell of it.
inline double sum_of_y(const LayerProblem& p, std::int64_t cell, Variant v) {
  const Geometry& g = p.geometry;
  const auto [n, row, col, m] = position_in_x(g, cell);
  const auto x = y_view(p.x.data(), g);
  double sum = 0;
  for (std::int64_t tap_row = 0; tap_row < g.kh; ++tap_row) {
    const std::int64_t i = window_at(row + (v.cuts_end ? 0 : g.padding.top), tap_row * g.dilation_h, g.stride_h, g.oh);
    for (std::int64_t tap_col = 0; i >= 0 && tap_col < g.kw; ++tap_col) {
      const std::int64_t j =
          window_at(col + (v.cuts_end ? 0 : g.padding.left), tap_col * g.dilation_w, g.stride_w, g.ow);
      const std::int64_t first = m / g.group_c * g.group_k;
      for (std::int64_t c = first; j >= 0 && c < first + g.group_k; ++c) {
        const double product = static_cast<double>(x(n, i, j, c)) * weight(p, v, tap_row, tap_col, m, c);
        sum += v.is_size ? std::abs(product) : product;
      }
    }
  }
  return sum;
}

inline double y_of(const LayerProblem& p, std::int64_t cell, Variant v) {
  const double bias = p.b.empty() ? 0 : at(p.b, position_in_x(p.geometry, cell).c);
  return sum_of_y(p, cell, v) + (v.is_size ? std::abs(bias) : bias);
}

inline double dx_of(const LayerProblem& p, std::int64_t cell, Variant v) {
  const Geometry& g = p.geometry;
  const auto [n, i, j, c] = position_of(g.layout, g.oh, g.ow, g.k, cell);
  const auto dy = x_view(p.dy.data(), g);
  const Range rows = row_taps(g, i), cols = column_taps(g, j);
  const std::int64_t first = c / g.group_k * g.group_c;
  double sum = 0;
  for (std::int64_t row = rows.begin; row < rows.end; ++row) {
    for (std::int64_t col = cols.begin; col < cols.end; ++col) {
      for (std::int64_t m = first; m < first + g.group_c; ++m) {
        const double product =
            static_cast<double>(dy(n, x_row(g, i, row), x_column(g, j, col), m)) * weight(p, v, row, col, m, c);
        sum += v.is_size ? std::abs(product) : product;
      }
    }
  }
  return sum;
}

inline double value_of(const LayerProblem& p, Pass pass, std::int64_t cell, Variant v) {
  return pass == Pass::forward ? y_of(p, cell, v) : dx_of(p, cell, v);
}

inline double right(const LayerProblem& p, Pass pass, std::int64_t cell) { return value_of(p, pass, cell, {}); }

/// A bound of the sums of all mistakes but `swaps`.
inline double magnitude(const LayerProblem& p, Pass pass, std::int64_t cell) {
  return value_of(p, pass, cell, {.is_size = true});
}

/// Whether a cell of y is in the rows and columns of the output padding.
inline bool is_behind(const LayerProblem& p, std::int64_t cell) {
  const Geometry& g = p.geometry;
  const Position y = position_in_x(g, cell);
  return y.row >= g.h - static_cast<std::int64_t>(p.options[0]) ||
         y.col >= g.w - static_cast<std::int64_t>(p.options[1]);
}

inline constexpr LayerMistake kMistakes[] = {
    {.name = "kernel_flipped_twice",
     .title = "Kernel flipped",
     .sentence =
         "The kernel was flipped before it was added. Each cell of x adds the kernel as it is; the flip belongs "
         "to the other form, a convolution of the upsampled x.",
     .lesson = "transposed-sizes.1",
     .pass = Pass::forward,
     .value = [](const LayerProblem& p, std::int64_t cell) { return y_of(p, cell, {.flips = true}); }},
    {.name = "channels_of_w_swapped",
     .title = "Channels of w swapped",
     .sentence =
         "w was read as that of a convolution from x to y. Its first axis in OIHW (its last in HWIO) counts the "
         "channels of x.",
     .lesson = "transposed-sizes.1",
     .pass = Pass::forward,
     .value = [](const LayerProblem& p, std::int64_t cell) { return y_of(p, cell, {.swaps = true}); }},
    {.name = "output_padding_zero",
     .title = "Output padding as zeros",
     .sentence = "The rows and columns of the output padding were filled with 0. They are a part of y as any other: "
                 "windows and the bias add to them.",
     .lesson = "transposed-sizes.4",
     .pass = Pass::forward,
     .value = [](const LayerProblem& p, std::int64_t cell) { return is_behind(p, cell) ? 0.0 : y_of(p, cell, {}); }},
    {.name = "cut_at_the_end",
     .title = "Cut at the wrong side",
     .sentence = "The padding of both sides was cut off at the bottom and on the right. Each side is cut by its own.",
     .lesson = "transposed-sizes.2",
     .pass = Pass::forward,
     .value = [](const LayerProblem& p, std::int64_t cell) { return y_of(p, cell, {.cuts_end = true}); }},
    {.name = "kernel_flipped_dx",
     .title = "Kernel flipped",
     .sentence = "The kernel was flipped. The dx of a transposed convolution is a plain convolution of dy.",
     .lesson = "transposed-sizes.1",
     .pass = Pass::backward_data,
     .value = [](const LayerProblem& p, std::int64_t cell) { return dx_of(p, cell, {.flips = true}); }},
};

}  // namespace conv2d::mistakes::conv_transpose
