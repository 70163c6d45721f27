#pragma once

#include <cstdint>

#include "base/strided_view.hpp"
#include "conv2d/conv_desc.hpp"

/// The padded x, and the two operands of backward_data as a full convolution: the upsampled dy, and the flipped w.
namespace conv2d {

/// Where dy is in its upsampled form: dy[i, j] is at (top + i * stride_h, left + j * stride_w) of rows x cols cells,
/// the other cells are 0. In the layout's order of y.
struct UpsampledGrid {
  std::int64_t rows = 0, cols = 0;
  std::int64_t top = 0, left = 0;
};

/// stride - 1 zeros between the cells of dy, nothing around it.
constexpr UpsampledGrid inserted_grid(const Geometry& g) noexcept {
  return {(g.oh - 1) * g.stride_h + 1, (g.ow - 1) * g.stride_w + 1, 0, 0};
}

/// ... and the remainder appended at the bottom and right: the rows and columns of x that no window reads.
constexpr UpsampledGrid extended_grid(const Geometry& g) noexcept {
  const UpsampledGrid inserted = inserted_grid(g);
  return {inserted.rows + g.remainder_h, inserted.cols + g.remainder_w, 0, 0};
}

/// ... and dilated_kernel - 1 zeros on every side, as in a full convolution.
constexpr UpsampledGrid full_grid(const Geometry& g) noexcept {
  const UpsampledGrid extended = extended_grid(g);
  const std::int64_t top = g.dilated_kh - 1;
  const std::int64_t left = g.dilated_kw - 1;
  return {extended.rows + 2 * top, extended.cols + 2 * left, top, left};
}

/// Writes dy into `out`, the n x rows x cols x k cells of `grid`.
void upsample_dy(const Geometry& g, const UpsampledGrid& grid, const float* dy, float* out) noexcept;

/// Writes w with input channels and filters swapped within each group, in the layout of w: [kh, kw, k/groups, c]
/// (HWIO), [c, k/groups, kh, kw] (OIHW) or [c, kh, kw, k/groups] (OHWI). `flip`: also flipped by 180 degrees, so that
/// the first tap becomes the last.
void swap_weight_channels(const Geometry& g, const float* w, bool flip, float* out) noexcept;

/// View of swapped weights as (row tap, column tap, filter of the group, input channel).
template <class T>
StridedView<T> swapped_view(T* data, const Geometry& g) noexcept {
  return weights_view(data, g.weights_layout, g.kh, g.kw, g.group_k, g.c);
}

/// Copies x into `padded`, an activation of (h + top + bottom) x (w + left + right) x c in the geometry's layout. Its
/// other cells become 0.
void pad_x(const Geometry& g, const float* x, float* padded) noexcept;

/// Sizes of the padded image. They fit: `resolve` has checked them.
inline std::int64_t padded_h(const Geometry& g) noexcept { return g.h + g.padding.top + g.padding.bottom; }
inline std::int64_t padded_w(const Geometry& g) noexcept { return g.w + g.padding.left + g.padding.right; }

}  // namespace conv2d
