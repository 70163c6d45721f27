#pragma once

#include <cstdint>

#include "conv2d/conv_desc.hpp"

namespace conv2d {

/// A dense tensor of any layout seen by its logical axes: element (n, row, col, channel) of an activation, or
/// (row tap, column tap, input channel, filter) of weights. Strides count elements.
template <class T>
struct StridedView {
  T* data = nullptr;
  std::int64_t stride_0 = 0;  ///< batch; for weights the row tap
  std::int64_t stride_1 = 0;  ///< row; for weights the column tap
  std::int64_t stride_2 = 0;  ///< column; for weights the input channel within its group
  std::int64_t stride_3 = 0;  ///< channel; for weights the filter

  [[nodiscard]] std::int64_t offset(std::int64_t i0, std::int64_t i1, std::int64_t i2, std::int64_t i3) const noexcept {
    return i0 * stride_0 + i1 * stride_1 + i2 * stride_2 + i3 * stride_3;
  }
  [[nodiscard]] T& operator()(std::int64_t i0, std::int64_t i1, std::int64_t i2, std::int64_t i3) const noexcept {
    return data[offset(i0, i1, i2, i3)];
  }
};

/// View of an activation of logical sizes h x w x c (x, dx; y and dy with oh, ow, k).
template <class T>
StridedView<T> activation_view(T* data, Layout layout, std::int64_t h, std::int64_t w, std::int64_t c) noexcept {
  return layout == Layout::nhwc ? StridedView<T>{data, h * w * c, w * c, c, 1}
                                : StridedView<T>{data, c * h * w, w, 1, h * w};
}

template <class T>
StridedView<T> x_view(T* data, const Geometry& g) noexcept {
  return activation_view(data, g.layout, g.h, g.w, g.c);
}

template <class T>
StridedView<T> y_view(T* data, const Geometry& g) noexcept {
  return activation_view(data, g.layout, g.oh, g.ow, g.k);
}

/// View of weights of logical sizes kh x kw x (c / groups) x k as (row tap, column tap, input channel of the group,
/// filter).
template <class T>
StridedView<T> weights_view(T* data, WeightsLayout layout, std::int64_t kh, std::int64_t kw, std::int64_t group_c,
                            std::int64_t k) noexcept {
  if (layout == WeightsLayout::hwio) return {data, kw * group_c * k, group_c * k, k, 1};
  if (layout == WeightsLayout::oihw) return {data, kw, 1, kh * kw, group_c * kh * kw};
  return {data, kw * group_c, group_c, 1, kh * kw * group_c};
}

template <class T>
StridedView<T> w_view(T* data, const Geometry& g) noexcept {
  return weights_view(data, g.weights_layout, g.kh, g.kw, g.group_c, g.k);
}

}  // namespace conv2d
