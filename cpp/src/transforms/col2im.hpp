#pragma once

#include "transforms/column_rows.hpp"

/// The reverse of im2col: every copy of a cell returns to the cell in dx. Rows are in kh_kw_c order; copies from the
/// padding are dropped. Precondition of all: dx is NHWC, whatever g.layout says.
namespace conv2d {

/// Adds the rows to the cells of dx that they were copied from.
void col2im_add(const Geometry& g, const ColumnRows& rows, const float* dx_col, float* dx) noexcept;

/// NOT the gradient: each entry overwrites its cell. The result of a common mistake, where the addition is missing.
void col2im_overwrite(const Geometry& g, const ColumnRows& rows, const float* dx_col, float* dx) noexcept;

}  // namespace conv2d
