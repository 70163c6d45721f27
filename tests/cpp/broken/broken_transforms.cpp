// A broken im2col and col2im: both flip each window by 180 degrees. In this program they replace those of the library.
#include "transforms/im2col.hpp"

namespace conv2d {
namespace {

/// Calls visit(cell, tap, inside) for each cell of the window; `tap` is the opposite tap.
template <class Visit>
void for_each_cell(const Geometry& g, const Window& window, Visit visit) {
  for (std::int64_t p = 0; p < g.kh; ++p)
    for (std::int64_t q = 0; q < g.kw; ++q) {
      const std::int64_t row = window.top + p * g.dilation_h, col = window.left + q * g.dilation_w;
      const bool inside = row >= 0 && row < g.h && col >= 0 && col < g.w;
      visit(window.image + (row * g.w + col) * g.c, g.kh * g.kw - 1 - (p * g.kw + q), inside);
    }
}

template <class Combine>
void accumulate_windows(const Geometry& g, const ColumnRows& rows, const float* dx_col, float* dx, Combine combine) {
  const std::int64_t columns = g.kh * g.kw * g.group_c;
  for_each_window(g, rows, [&](std::int64_t row, const Window& window) {
    for_each_cell(g, window, [&](std::int64_t cell, std::int64_t tap, bool inside) {
      for (std::int64_t c = 0; inside && c < g.group_c; ++c) {
        combine(dx[cell + c], dx_col[row * columns + tap * g.group_c + c]);
      }
    });
  });
}

}  // namespace

void im2col(const Geometry& g, const ColumnRows& rows, const float* x, float* out) noexcept {
  const std::int64_t taps = g.kh * g.kw;
  for_each_window(g, rows, [&](std::int64_t row, const Window& window) {
    for_each_cell(g, window, [&](std::int64_t cell, std::int64_t tap, bool inside) {
      for (std::int64_t c = 0; c < g.group_c; ++c) {
        const std::int64_t column = rows.order == ColumnOrder::kh_kw_c ? tap * g.group_c + c : c * taps + tap;
        out[row * taps * g.group_c + column] = inside ? x[cell + c] : 0.0F;
      }
    });
  });
}

void col2im_add(const Geometry& g, const ColumnRows& rows, const float* dx_col, float* dx) noexcept {
  accumulate_windows(g, rows, dx_col, dx, [](float& cell, float entry) { cell += entry; });
}

void col2im_overwrite(const Geometry& g, const ColumnRows& rows, const float* dx_col, float* dx) noexcept {
  accumulate_windows(g, rows, dx_col, dx, [](float& cell, float entry) { cell = entry; });
}

}  // namespace conv2d
