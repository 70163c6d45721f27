#pragma once

#include "conv2d/trace.hpp"
#include "engines/prepared.hpp"

/// The lowered passes: matrix products of x_col, w_col and dy_col, whose blocks are written and multiplied one after
/// the other. Precondition of all: NHWC.
namespace conv2d::engine {

/// y_col = x_col . w_col + b, with the columns of x_col in the given order.
PreparedPointer prepare_lowered_forward(const Geometry& g, ColumnOrder order, const Request& request);

/// dx_col = dy_col . w_col^T, and col2im of it.
PreparedPointer prepare_col2im(const Geometry& g, const Request& request);

/// dw_col = x_col^T . dy_col. Its parts are rows or columns of every group's dw_col.
PreparedPointer prepare_lowered_weights(const Geometry& g, const Request& request);

}  // namespace conv2d::engine
