#include "transforms/col2im.hpp"

#include "check/check.hpp"
#include "transforms/lane_copy.hpp"

namespace conv2d {
namespace {

template <bool kAdd>
void write_window(const Geometry& g, const float* columns, std::int64_t top, std::int64_t left, float* dx,
                  std::int64_t image) noexcept {
  for (std::int64_t p = 0; p < g.kh; ++p) {
    const std::int64_t row = top + p * g.dilation_h;
    const bool row_inside = row >= 0 && row < g.h;
    for (std::int64_t q = 0; q < g.kw; ++q) {
      const std::int64_t col = left + q * g.dilation_w;
      if (row_inside && col >= 0 && col < g.w) {
        float* to = dx + image + (row * g.w + col) * g.c;
        if constexpr (kAdd) {
          *to += *columns;  // before the loop: starting the loop takes longer than one channel
          for (std::int64_t c = 1; c < g.group_c; ++c) to[c] += columns[c];
        } else {
          copy_floats(columns, g.group_c, to);
        }
      }
      columns += g.group_c;
    }
  }
}

template <bool kAdd>
void write_rows(const Geometry& g, const ColumnRows& rows, const float* dx_col, float* dx) noexcept {
  CONV2D_DCHECK(rows.order == ColumnOrder::kh_kw_c);
  const std::int64_t row_size = g.kh * g.kw * g.group_c;
  for_each_window(g, rows, [&](std::int64_t row, std::int64_t image, std::int64_t top, std::int64_t left) {
    write_window<kAdd>(g, dx_col + row * row_size, top, left, dx, image);
  });
}

}  // namespace

void col2im_add(const Geometry& g, const ColumnRows& rows, const float* dx_col, float* dx) noexcept {
  write_rows<true>(g, rows, dx_col, dx);
}

void col2im_overwrite(const Geometry& g, const ColumnRows& rows, const float* dx_col, float* dx) noexcept {
  write_rows<false>(g, rows, dx_col, dx);
}

}  // namespace conv2d
