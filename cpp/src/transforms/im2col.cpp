#include "transforms/im2col.hpp"

#include "check/check.hpp"
#include "transforms/lane_copy.hpp"

namespace conv2d {
namespace {

/// One row in (p, q, c) order: spans of channels, or zeros where the tap is in the padding.
void copy_window(const Geometry& g, const float* x, std::int64_t image, std::int64_t top, std::int64_t left,
                 float* out) noexcept {
  for (std::int64_t p = 0; p < g.kh; ++p) {
    const std::int64_t row = top + p * g.dilation_h;
    const bool row_inside = row >= 0 && row < g.h;
    for (std::int64_t q = 0; q < g.kw; ++q) {
      const std::int64_t col = left + q * g.dilation_w;
      const bool inside = row_inside && col >= 0 && col < g.w;
      const float* from = inside ? x + image + (row * g.w + col) * g.c : nullptr;
      if (g.group_c == 1) {
        *out++ = inside ? *from : 0.0F;
      } else {
        out = inside ? copy_floats(from, g.group_c, out) : zero_floats(g.group_c, out);
      }
    }
  }
}

/// One row in (c, p, q) order: single channels, kh * kw apart.
void copy_window_by_channel(const Geometry& g, const float* x, std::int64_t image, std::int64_t top, std::int64_t left,
                            float* out) noexcept {
  const std::int64_t taps = g.kh * g.kw;
  for (std::int64_t p = 0; p < g.kh; ++p) {
    const std::int64_t row = top + p * g.dilation_h;
    const bool row_inside = row >= 0 && row < g.h;
    for (std::int64_t q = 0; q < g.kw; ++q) {
      const std::int64_t col = left + q * g.dilation_w;
      const bool inside = row_inside && col >= 0 && col < g.w;
      const float* from = inside ? x + image + (row * g.w + col) * g.c : nullptr;
      for (std::int64_t c = 0; c < g.group_c; ++c) out[c * taps] = inside ? from[c] : 0.0F;
      ++out;
    }
  }
}

}  // namespace

void im2col(const Geometry& g, const ColumnRows& rows, const float* x, float* out) noexcept {
  const std::int64_t row_size = g.kh * g.kw * g.group_c;
  const auto copy = rows.order == ColumnOrder::kh_kw_c ? copy_window : copy_window_by_channel;
  for_each_window(g, rows, [&](std::int64_t row, std::int64_t image, std::int64_t top, std::int64_t left) {
    copy(g, x, image, top, left, out + row * row_size);
  });
}

}  // namespace conv2d
