#include "transforms/im2col.hpp"

#include "check/check.hpp"
#include "transforms/lane_copy.hpp"

namespace conv2d {
namespace {

/// Calls visit(row, image, top, left): the row's number within the piece, the offset in x of the image's and group's
/// first channel, and the cell under tap (0, 0) of the window, which may lie in the padding.
template <class Visit>
void for_each_window(const Geometry& g, const ColumnRows& rows, Visit visit) noexcept {
  CONV2D_CHECK(g.layout == Layout::nhwc);
  CONV2D_CHECK(rows.group >= 0 && rows.group < g.groups);
  CONV2D_CHECK(rows.count <= 0 || (rows.first >= 0 && rows.first + rows.count <= g.n * g.oh * g.ow));
  if (rows.count <= 0) return;
  std::int64_t j = rows.first % g.ow;
  std::int64_t i = rows.first / g.ow % g.oh;
  std::int64_t n = rows.first / g.ow / g.oh;
  for (std::int64_t row = 0; row < rows.count; ++row) {
    visit(row, n * g.h * g.w * g.c + rows.group * g.group_c, i * g.stride_h - g.padding.top,
          j * g.stride_w - g.padding.left);
    if (++j < g.ow) continue;
    j = 0;
    if (++i < g.oh) continue;
    i = 0;
    ++n;
  }
}

/// One row in (p, q, c) order: runs of channels, or zeros where the tap lies in the padding.
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
        out = inside ? copy_run(from, g.group_c, out) : zero_run(g.group_c, out);
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

void add_window(const Geometry& g, const float* columns, std::int64_t top, std::int64_t left, float* dx,
                std::int64_t image) noexcept {
  for (std::int64_t p = 0; p < g.kh; ++p) {
    const std::int64_t row = top + p * g.dilation_h;
    const bool row_inside = row >= 0 && row < g.h;
    for (std::int64_t q = 0; q < g.kw; ++q) {
      const std::int64_t col = left + q * g.dilation_w;
      if (row_inside && col >= 0 && col < g.w) {
        float* to = dx + image + (row * g.w + col) * g.c;
        *to += *columns;  // before the loop, which takes longer to begin than a single channel
        for (std::int64_t c = 1; c < g.group_c; ++c) to[c] += columns[c];
      }
      columns += g.group_c;
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

void col2im_add(const Geometry& g, const ColumnRows& rows, const float* dx_col, float* dx) noexcept {
  CONV2D_CHECK(rows.order == ColumnOrder::kh_kw_c);
  const std::int64_t row_size = g.kh * g.kw * g.group_c;
  for_each_window(g, rows, [&](std::int64_t row, std::int64_t image, std::int64_t top, std::int64_t left) {
    add_window(g, dx_col + row * row_size, top, left, dx, image);
  });
}

}  // namespace conv2d
