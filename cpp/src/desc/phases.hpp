#pragma once

#include <algorithm>
#include <cstdint>
#include <numeric>

#include "conv2d/lowering.hpp"
#include "desc/windows.hpp"

/// The phase split: a stride divides the cells of x into stride_h x stride_w interleaved grids. Outputs use each grid
/// through its own subset of the taps, as a dense convolution.
namespace conv2d {

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
