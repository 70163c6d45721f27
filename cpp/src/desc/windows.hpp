#pragma once

#include <algorithm>
#include <cstdint>
#include <numeric>

#include "base/range.hpp"
#include "base/strided_view.hpp"
#include "conv2d/conv_desc.hpp"
#include "conv2d/lowering.hpp"
#include "dcheck/dcheck.hpp"

/// The index arithmetic of a convolution: which output reads which cell of x through which tap.
namespace conv2d {

/// The memory stride of an axis that moves `cells` cells per step. An axis of one element never moves, and its `cells`
/// (for example a stride larger than the image) may be too large to multiply.
constexpr std::int64_t stride_of(std::int64_t extent, std::int64_t cells, std::int64_t cell_stride) noexcept {
  return extent > 1 ? cells * cell_stride : 0;
}

/// Row taps of output row i inside the image, and column taps of output column j.
constexpr Range row_taps(const Geometry& g, std::int64_t i) noexcept {
  return inside(g.kh, g.dilation_h, i * g.stride_h - g.padding.top, g.h);
}
constexpr Range column_taps(const Geometry& g, std::int64_t j) noexcept {
  return inside(g.kw, g.dilation_w, j * g.stride_w - g.padding.left, g.w);
}

/// Row and column of x that tap (p, q) of output (i, j) reads.
constexpr std::int64_t x_row(const Geometry& g, std::int64_t i, std::int64_t p) noexcept {
  return i * g.stride_h + p * g.dilation_h - g.padding.top;
}
constexpr std::int64_t x_column(const Geometry& g, std::int64_t j, std::int64_t q) noexcept {
  return j * g.stride_w + q * g.dilation_w - g.padding.left;
}

/// The index of the output that reads the padded coordinate `padded` through the tap at `offset`, or -1 when there is
/// none: its window would start between two outputs, or outside them.
constexpr std::int64_t window_at(std::int64_t padded, std::int64_t offset, std::int64_t stride,
                                 std::int64_t count) noexcept {
  CONV2D_DCHECK(stride >= 1);
  const std::int64_t start = padded - offset;
  if (start < 0) return -1;
  if (stride == 1) return start < count ? start : -1;  // a division costs as much as several multiply-adds
  if (start % stride != 0) return -1;
  return start / stride < count ? start / stride : -1;
}

// For plain loops over one-channel windows (pooling: k = groups = c), without the index arithmetic of the kernels.

/// The position of an element of an activation.
struct Position {
  std::int64_t n, row, col, c;
};

/// The position of flat index `t` in an activation of rows x cols x channels.
constexpr Position position_of(Layout layout, std::int64_t rows, std::int64_t cols, std::int64_t channels,
                               std::int64_t t) noexcept {
  const std::int64_t n = t / (rows * cols * channels);
  if (layout == Layout::nhwc) return {n, t / (channels * cols) % rows, t / channels % cols, t % channels};
  return {n, t / cols % rows, t % cols, t / (rows * cols) % channels};
}
constexpr Position position_in_x(const Geometry& g, std::int64_t x) noexcept {
  return position_of(g.layout, g.h, g.w, g.c, x);
}

/// The cells of x in the window of output `y`: calls visit(x) with their flat indices, row by row.
template <class Visit>
void for_each_window_cell(const Geometry& g, std::int64_t y, Visit visit) {
  const Position out = position_of(g.layout, g.oh, g.ow, g.k, y);
  for (std::int64_t p = 0; p < g.kh; ++p) {
    for (std::int64_t q = 0; q < g.kw; ++q) {
      const std::int64_t row = out.row * g.stride_h + p - g.padding.top;
      const std::int64_t col = out.col * g.stride_w + q - g.padding.left;
      if (row < 0 || row >= g.h || col < 0 || col >= g.w) continue;
      visit(x_view<const float>(nullptr, g).offset(out.n, row, col, out.c));
    }
  }
}

/// The windows that read cell `x`: calls visit(y) with the flat indices of their outputs, in ascending order.
template <class Visit>
void for_each_window_of_cell(const Geometry& g, std::int64_t x, Visit visit) {
  const Position in = position_in_x(g, x);
  for (std::int64_t p = g.kh - 1; p >= 0; --p) {
    const std::int64_t i = window_at(in.row + g.padding.top, p, g.stride_h, g.oh);
    for (std::int64_t q = g.kw - 1; i >= 0 && q >= 0; --q) {
      const std::int64_t j = window_at(in.col + g.padding.left, q, g.stride_w, g.ow);
      if (j >= 0) visit(y_view<const float>(nullptr, g).offset(in.n, i, j, in.c));
    }
  }
}

// The phase split: a stride divides the cells of x into stride_h x stride_w interleaved grids. Outputs use each grid
// through its own subset of the taps, as a dense convolution.

/// One axis of a phase: the cells first, first + stride, ... of x, for first < min(stride, size). Outputs use them
/// through the taps p with p * dilation = first + before (mod stride), which are equally spaced.
constexpr PhaseAxis phase_axis(std::int64_t first, std::int64_t size, std::int64_t kernel, std::int64_t stride,
                               std::int64_t dilation, std::int64_t before) noexcept {
  PhaseAxis axis;
  const std::int64_t common = std::gcd(stride, dilation);
  axis.first_cell = first;
  axis.cells = 1 + (size - first - 1) / stride;
  axis.tap_step = stride / common;
  axis.output_step = dilation / common;
  while (axis.first_tap < std::min(kernel, axis.tap_step) &&
         (first + before - axis.first_tap * dilation) % stride != 0) {
    ++axis.first_tap;
  }
  if (axis.first_tap < std::min(kernel, axis.tap_step)) {
    axis.taps = 1 + (kernel - axis.first_tap - 1) / axis.tap_step;
    axis.first_output = (first + before - axis.first_tap * dilation) / stride;
  }
  return axis;
}

constexpr PhaseAxis row_phase(const Geometry& g, std::int64_t first) noexcept {
  return phase_axis(first, g.h, g.kh, g.stride_h, g.dilation_h, g.padding.top);
}
constexpr PhaseAxis column_phase(const Geometry& g, std::int64_t first) noexcept {
  return phase_axis(first, g.w, g.kw, g.stride_w, g.dilation_w, g.padding.left);
}

/// Phases with at least one cell: a stride larger than the image leaves the others empty.
constexpr std::int64_t row_phases(const Geometry& g) noexcept { return std::min(g.stride_h, g.h); }
constexpr std::int64_t column_phases(const Geometry& g) noexcept { return std::min(g.stride_w, g.w); }

/// The cells m of the phase that outputs use through tap number t: those with 0 <= first_output + m - t * output_step <
/// outputs.
constexpr Range cells_of_tap(const PhaseAxis& axis, std::int64_t t, std::int64_t outputs) noexcept {
  return inside(axis.cells, 1, axis.first_output - t * axis.output_step, outputs);
}

/// The taps of the axis through which outputs use cell m: the inverse of cells_of_tap.
constexpr Range taps_of_cell(const PhaseAxis& axis, std::int64_t m, std::int64_t outputs) noexcept {
  return inside(axis.taps, axis.output_step, outputs - 1 - axis.first_output - m, outputs);
}

/// Calls visit(n, row, rows, cols, m) for the cells of x in the range, row by row and in a row phase by phase: m are
/// the cells of the column phase `cols`.
template <class Visit>
void for_each_phase_of_rows(const Geometry& g, Range cells, Visit visit) noexcept {
  for_each_row_span(cells, g.h, g.w, [&](std::int64_t n, std::int64_t row, Range span) {
    const PhaseAxis rows = row_phase(g, row % g.stride_h);
    for (std::int64_t first = 0; first < column_phases(g); ++first) {
      const PhaseAxis cols = column_phase(g, first);
      const Range m = inside(cols.cells, g.stride_w, first - span.begin, span.size());
      if (m.size() > 0) visit(n, row, rows, cols, m);
    }
  });
}

}  // namespace conv2d
