#pragma once

#include "conv2d/lowering.hpp"
#include "engines/windows/product.hpp"

/// The matrices of im2col as products of the windows engine: a row of x_col or dy is an image with a single window, and
/// the weights are a kernel that covers it. Precondition of all: NHWC.
namespace conv2d::engine {

/// Columns of x_col and dx_col, of a group.
constexpr std::int64_t columns_of(const Geometry& g) noexcept { return g.kh * g.kw * g.group_c; }

/// Rows of x_col and dy_col: output positions of the batch.
constexpr std::int64_t positions_of(const Geometry& g) noexcept { return g.n * g.oh * g.ow; }

/// y_col = x_col . w_col, of `rows` rows of one group. The image is x_col; the weights and the output begin at the
/// group's first filter.
WindowProduct x_col_product(const Geometry& g, const micro_kernels::KernelSet& kernels, ColumnOrder order,
                            std::int64_t rows) noexcept;

/// dx_col = dy_col . w_col^T, in kh_kw_c order. The output is dx_col; dy and the weights begin at the group's first
/// filter.
WindowProduct dx_col_product(const Geometry& g, const micro_kernels::KernelSet& kernels, std::int64_t rows) noexcept;

}  // namespace conv2d::engine
