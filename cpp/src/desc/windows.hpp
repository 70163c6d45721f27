#pragma once

#include <cstdint>

#include "base/range.hpp"
#include "check/check.hpp"
#include "conv2d/conv_desc.hpp"

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

}  // namespace conv2d
