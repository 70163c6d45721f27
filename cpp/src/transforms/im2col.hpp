#pragma once

#include "transforms/column_rows.hpp"

/// im2col copies every window of x into a row of its own.
namespace conv2d {

/// Writes the rows into `out`. Precondition: x is NHWC, whatever g.layout says; callers convert other layouts first.
void im2col(const Geometry& g, const ColumnRows& rows, const float* x, float* out) noexcept;

}  // namespace conv2d
