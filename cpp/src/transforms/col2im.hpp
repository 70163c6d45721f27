#pragma once

#include "transforms/column_rows.hpp"

/// The way back from im2col: every copy that it made of a cell goes home to dx. Rows are in kh_kw_c order; what was
/// copied from the padding is dropped. Precondition of all: dx is NHWC, whatever g.layout says.
namespace conv2d {

/// Adds the rows to the cells of dx that they were copied from.
void col2im_add(const Geometry& g, const ColumnRows& rows, const float* dx_col, float* dx) noexcept;

/// NOT the gradient: each entry takes the place of what its cell held, as where somebody forgot to add.
void col2im_overwrite(const Geometry& g, const ColumnRows& rows, const float* dx_col, float* dx) noexcept;

}  // namespace conv2d
