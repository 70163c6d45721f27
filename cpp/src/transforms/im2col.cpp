#include "transforms/im2col.hpp"

#include "dcheck/dcheck.hpp"
#include "transforms/lane_copy.hpp"

namespace conv2d {
namespace {

/// Calls visit(cell) for the taps of a window, in (p, q) order: the offset in x of the first channel of the cell under
/// the tap, or -1 in the padding. x of an image without cells can be null: an offset is added only to reach a cell.
template <class Visit>
void for_each_tap(const Geometry& g, const Window& window, Visit visit) noexcept {
  for (std::int64_t p = 0; p < g.kh; ++p) {
    const std::int64_t row = window.top + p * g.dilation_h;
    const bool row_inside = row >= 0 && row < g.h;
    for (std::int64_t q = 0; q < g.kw; ++q) {
      const std::int64_t col = window.left + q * g.dilation_w;
      visit(row_inside && col >= 0 && col < g.w ? window.image + (row * g.w + col) * g.c : -1);
    }
  }
}

/// One row in (p, q, c) order: spans of channels, or zeros where the tap is in the padding.
void copy_window(const Geometry& g, const float* x, const Window& window, float* out) noexcept {
  for_each_tap(g, window, [&](std::int64_t cell) {
    if (g.group_c == 1) {
      *out++ = cell >= 0 ? x[cell] : 0.0F;
    } else {
      out = cell >= 0 ? copy_floats(x + cell, g.group_c, out) : zero_floats(g.group_c, out);
    }
  });
}

/// One row in (c, p, q) order: single channels, kh * kw apart.
void copy_window_by_channel(const Geometry& g, const float* x, const Window& window, float* out) noexcept {
  const std::int64_t taps = g.kh * g.kw;
  for_each_tap(g, window, [&](std::int64_t cell) {
    for (std::int64_t c = 0; c < g.group_c; ++c) out[c * taps] = cell >= 0 ? x[cell + c] : 0.0F;
    ++out;
  });
}

template <bool kAdd>
void write_window(const Geometry& g, const float* columns, const Window& window, float* dx) noexcept {
  for_each_tap(g, window, [&](std::int64_t cell) {
    if (cell >= 0) {
      float* to = dx + cell;
      if constexpr (kAdd) {
        *to += *columns;  // before the loop: starting the loop takes longer than one channel
        for (std::int64_t c = 1; c < g.group_c; ++c) to[c] += columns[c];
      } else {
        copy_floats(columns, g.group_c, to);
      }
    }
    columns += g.group_c;
  });
}

template <bool kAdd>
void write_rows(const Geometry& g, const ColumnRows& rows, const float* dx_col, float* dx) noexcept {
  CONV2D_DCHECK(rows.order == ColumnOrder::kh_kw_c);
  const std::int64_t row_size = g.kh * g.kw * g.group_c;
  for_each_window(g, rows, [&](std::int64_t row, const Window& window) {
    write_window<kAdd>(g, dx_col + row * row_size, window, dx);
  });
}

}  // namespace

void im2col(const Geometry& g, const ColumnRows& rows, const float* x, float* out) noexcept {
  const std::int64_t row_size = g.kh * g.kw * g.group_c;
  const auto copy = rows.order == ColumnOrder::kh_kw_c ? copy_window : copy_window_by_channel;
  for_each_window(g, rows, [&](std::int64_t row, const Window& window) { copy(g, x, window, out + row * row_size); });
}

void col2im_add(const Geometry& g, const ColumnRows& rows, const float* dx_col, float* dx) noexcept {
  write_rows<true>(g, rows, dx_col, dx);
}

void col2im_overwrite(const Geometry& g, const ColumnRows& rows, const float* dx_col, float* dx) noexcept {
  write_rows<false>(g, rows, dx_col, dx);
}

}  // namespace conv2d
