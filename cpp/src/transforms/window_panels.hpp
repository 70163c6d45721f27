#pragma once

#include "transforms/column_rows.hpp"

namespace conv2d {

/// Writes columns [column, column + width) of the rows of x_col, row after row. They are read from the image: x_col is
/// never stored. Precondition: x is NHWC, and the order is kh_kw_c.
void pack_x_col(const Geometry& g, const ColumnRows& rows, const float* x, std::int64_t column, std::int64_t width,
                float* panel) noexcept;

}  // namespace conv2d
