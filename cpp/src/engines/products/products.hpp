#pragma once

#include "conv2d/lowering.hpp"
#include "engines/executable.hpp"

/// The passes as matrix products with im2col: products of x_col, w_col and dy_col. Blocks of them are written and
/// multiplied one after the other. Precondition of all: NHWC.
namespace conv2d::engine {

/// y_col = x_col . w_col + b, with the columns of x_col in the given order.
ExecutablePointer prepare_im2col_forward(const Geometry& g, ColumnOrder order, const PrepareOptions& options);

/// dx_col = dy_col . w_col^T, then col2im.
ExecutablePointer prepare_col2im(const Geometry& g, const PrepareOptions& options);

/// dw_col = x_col^T . dy_col. Parts are rows of every group's dw_col.
ExecutablePointer prepare_im2col_weights(const Geometry& g, const PrepareOptions& options);

}  // namespace conv2d::engine
