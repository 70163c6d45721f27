#pragma once

#include <cstdint>

#include "conv2d_check/samples.hpp"

/// A convolution as plain loops, as a user of conv2d_check would write it: NCHW, OIHW.
namespace conv2d::test {

/// Calls visit(y, x, w, k) with the flat indices of each product and the filter; x is inside the image.
template <class Visit>
void for_each_product(const ConvDesc& d, Visit visit) {
  const Geometry g = resolve(d).value();
  for (std::int64_t n = 0; n < d.n; ++n)
    for (std::int64_t k = 0; k < d.k; ++k)
      for (std::int64_t i = 0; i < g.oh; ++i)
        for (std::int64_t j = 0; j < g.ow; ++j)
          for (std::int64_t c = 0; c < g.group_c; ++c)
            for (std::int64_t p = 0; p < d.kh; ++p)
              for (std::int64_t q = 0; q < d.kw; ++q) {
                const std::int64_t row = i * d.stride_h + p * d.dilation_h - g.padding.top;
                const std::int64_t col = j * d.stride_w + q * d.dilation_w - g.padding.left;
                if (row < 0 || row >= d.h || col < 0 || col >= d.w) continue;
                visit(((n * d.k + k) * g.oh + i) * g.ow + j,
                      ((n * d.c + k / g.group_k * g.group_c + c) * d.h + row) * d.w + col,
                      ((k * g.group_c + c) * d.kh + p) * d.kw + q, k);
              }
}

/// A right result of any pass, in float.
inline void plain_kernel(const conv2d_check::Sample& sample, float* result) {
  const Geometry g = resolve(sample.desc).value();
  for (std::int64_t i = 0; i < g.result_size(sample.pass); ++i) result[i] = 0;
  if (sample.pass == Pass::backward_bias) {
    for (std::int64_t y = 0; y < g.y_size; ++y)
      result[y / (g.oh * g.ow) % g.k] += sample.dy[static_cast<std::size_t>(y)];
    return;
  }
  if (sample.pass == Pass::forward) {
    for (std::int64_t y = 0; y < g.y_size; ++y) result[y] = sample.b[static_cast<std::size_t>(y / (g.oh * g.ow) % g.k)];
  }
  for_each_product(sample.desc, [&](std::int64_t y, std::int64_t x, std::int64_t w, std::int64_t) {
    const float from_x = sample.x[static_cast<std::size_t>(x)], from_w = sample.w[static_cast<std::size_t>(w)];
    const float from_dy = sample.dy[static_cast<std::size_t>(y)];
    if (sample.pass == Pass::forward) result[y] += from_x * from_w;
    if (sample.pass == Pass::backward_data) result[x] += from_dy * from_w;
    if (sample.pass == Pass::backward_weights) result[w] += from_x * from_dy;
  });
}

}  // namespace conv2d::test
