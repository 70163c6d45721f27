#pragma once

#include <cstdint>

#include "base/range.hpp"
#include "conv2d/conv_desc.hpp"
#include "conv2d/lowering.hpp"

/// im2col copies every window of x into a row of its own; col2im returns every copy of a cell to the cell in dx.
/// Precondition of all: x and dx are NHWC, whatever g.layout says; callers convert other layouts first.
namespace conv2d {

/// Rows first .. first + count of x_col or dx_col of one group, each of kh * kw * c / groups floats, dense. The rows
/// are the output positions (n, i, j), counted through the batch.
struct ColumnRows {
  std::int64_t group = 0;
  std::int64_t first = 0, count = 0;
  ColumnOrder order = ColumnOrder::kh_kw_c;
};

/// A window of x (NHWC).
struct Window {
  std::int64_t image = 0;          ///< offset in x of the first channel of the image and group
  std::int64_t top = 0, left = 0;  ///< the cell under tap (0, 0), which may be in the padding
};

/// Calls visit(row, window): the row's index within the range.
template <class Visit>
void for_each_window(const Geometry& g, const ColumnRows& rows, Visit visit) noexcept {
  CONV2D_DCHECK(g.layout == Layout::nhwc);
  CONV2D_DCHECK(rows.group >= 0 && rows.group < g.groups);
  CONV2D_DCHECK(rows.count <= 0 || (rows.first >= 0 && rows.first + rows.count <= g.n * g.oh * g.ow));
  std::int64_t row = 0;
  for_each_position({rows.first, rows.first + rows.count}, g.oh, g.ow,
                    [&](std::int64_t n, std::int64_t i, std::int64_t j) {
                      visit(row++, Window{.image = n * g.h * g.w * g.c + rows.group * g.group_c,
                                          .top = i * g.stride_h - g.padding.top,
                                          .left = j * g.stride_w - g.padding.left});
                    });
}

/// Writes the rows of x_col into `out`.
void im2col(const Geometry& g, const ColumnRows& rows, const float* x, float* out) noexcept;

/// Adds the rows, in kh_kw_c order, to the cells of dx that they were copied from. Copies from the padding are dropped.
void col2im_add(const Geometry& g, const ColumnRows& rows, const float* dx_col, float* dx) noexcept;

/// NOT the gradient: each entry overwrites its cell. The result of a common mistake, where the addition is missing.
void col2im_overwrite(const Geometry& g, const ColumnRows& rows, const float* dx_col, float* dx) noexcept;

}  // namespace conv2d
