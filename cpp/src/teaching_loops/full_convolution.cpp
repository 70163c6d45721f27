#include "teaching_loops/full_convolution.hpp"

#include <algorithm>
#include <cstdint>

#include "dcheck/dcheck.hpp"

namespace conv2d {

void upsample_dy(const Geometry& g, const UpsampledGrid& grid, const float* dy, float* out) noexcept {
  CONV2D_DCHECK(grid.top >= 0 && grid.top + (g.oh - 1) * g.stride_h < grid.rows);
  CONV2D_DCHECK(grid.left >= 0 && grid.left + (g.ow - 1) * g.stride_w < grid.cols);
  CONV2D_DCHECK(g.n == 0 || (dy && out));
  std::fill_n(out, g.n * grid.rows * grid.cols * g.k, 0.0F);
  const auto from = y_view(dy, g);
  const auto to = activation_view(out, g.layout, grid.rows, grid.cols, g.k);
  for (std::int64_t n = 0; n < g.n; ++n) {
    for (std::int64_t i = 0; i < g.oh; ++i) {
      for (std::int64_t j = 0; j < g.ow; ++j) {
        for (std::int64_t k = 0; k < g.k; ++k) {
          to(n, grid.top + i * g.stride_h, grid.left + j * g.stride_w, k) = from(n, i, j, k);
        }
      }
    }
  }
}

void swap_weight_channels(const Geometry& g, const float* w, bool flip, float* out) noexcept {
  CONV2D_DCHECK(w && out);
  const auto from = w_view(w, g);
  const auto to = swapped_view(out, g);
  // A few channels at a time, so that the cache lines that are written stay in the cache until they are full.
  constexpr std::int64_t kChannelsAtOnce = 8;
  for (std::int64_t first_c = 0; first_c < g.c;) {
    const std::int64_t group = first_c / g.group_c;
    const std::int64_t end_c = std::min(first_c + kChannelsAtOnce, (group + 1) * g.group_c);
    for (std::int64_t p = 0; p < g.kh; ++p) {
      for (std::int64_t q = 0; q < g.kw; ++q) {
        for (std::int64_t k = 0; k < g.group_k; ++k) {
          for (std::int64_t c = first_c; c < end_c; ++c) {
            to(flip ? g.kh - 1 - p : p, flip ? g.kw - 1 - q : q, k, c) =
                from(p, q, c - group * g.group_c, group * g.group_k + k);
          }
        }
      }
    }
    first_c = end_c;
  }
}

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
