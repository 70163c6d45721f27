#pragma once

#include <cstdint>

#include "conv2d/conv_desc.hpp"
#include "conv2d/trace.hpp"

/// The lowering of NHWC tensors: im2col copies every window of x into a row of its own, col2im adds such rows back.
/// Rows are output positions (n, i, j), counted through the batch.
namespace conv2d {

/// A piece of x_col of one group: rows first .. first + count, each of kh * kw * c / groups floats, dense.
struct ColumnRows {
  std::int64_t group = 0;
  std::int64_t first = 0;
  std::int64_t count = 0;
  ColumnOrder order = ColumnOrder::kh_kw_c;
};

/// Writes the rows into `out`. Precondition: NHWC.
void im2col(const Geometry& g, const ColumnRows& rows, const float* x, float* out) noexcept;

/// Adds the rows (kh_kw_c) to the cells of dx that they were copied from; those from the padding are dropped.
/// Precondition: NHWC.
void col2im_add(const Geometry& g, const ColumnRows& rows, const float* dx_col, float* dx) noexcept;

}  // namespace conv2d
