#include "transforms/pad.hpp"

#include <algorithm>
#include <cstdint>

#include "check/check.hpp"
#include "transforms/strided_view.hpp"

namespace conv2d {

void pad_x(const Geometry& g, const float* x, float* padded) noexcept {
  CONV2D_DCHECK(g.x_size == 0 || (x && padded));
  const std::int64_t rows = padded_h(g);
  const std::int64_t cols = padded_w(g);
  std::fill_n(padded, g.n * rows * cols * g.c, 0.0F);
  const auto from = x_view(x, g);
  const auto to = activation_view(padded, g.layout, rows, cols, g.c);
  // The contiguous spans of a row of the image: [w * c] once, or [w] for each channel.
  const std::int64_t planes = g.layout == Layout::nhwc ? 1 : g.c;
  const std::int64_t span = g.layout == Layout::nhwc ? g.w * g.c : g.w;
  for (std::int64_t n = 0; n < g.n; ++n) {
    for (std::int64_t c = 0; c < planes; ++c) {
      for (std::int64_t row = 0; row < g.h; ++row) {
        if (span > 0) std::copy_n(&from(n, row, 0, c), span, &to(n, row + g.padding.top, g.padding.left, c));
      }
    }
  }
}

}  // namespace conv2d
