#pragma once

#include <cstdint>

#include "check/check.hpp"
#include "conv2d/conv_desc.hpp"
#include "conv2d/lowering.hpp"

/// The rows of x_col and dx_col: output positions (n, i, j), counted through the batch.
namespace conv2d {

/// Rows first .. first + count of such a matrix of one group, each of kh * kw * c / groups floats, dense.
struct ColumnRows {
  std::int64_t group = 0;
  std::int64_t first = 0;
  std::int64_t count = 0;
  ColumnOrder order = ColumnOrder::kh_kw_c;
};

/// Calls visit(row, image, top, left): the row's index within the range, the offset in x (NHWC) of the first channel of
/// the image and group, and the cell under tap (0, 0) of the window, which may be in the padding.
template <class Visit>
void for_each_window(const Geometry& g, const ColumnRows& rows, Visit visit) noexcept {
  CONV2D_DCHECK(g.layout == Layout::nhwc);
  CONV2D_DCHECK(rows.group >= 0 && rows.group < g.groups);
  CONV2D_DCHECK(rows.count <= 0 || (rows.first >= 0 && rows.first + rows.count <= g.n * g.oh * g.ow));
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

}  // namespace conv2d
