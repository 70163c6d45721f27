#pragma once

#include "algorithms/entry.hpp"
#include "conv2d/trace.hpp"

/// What the forward passes that multiply x_col by w_col have in common. Precondition of all: NHWC.
namespace conv2d::algorithm {

/// How x_col comes into the product.
enum class Lowering {
  stored,    ///< im2col writes a block of its rows, which is then packed
  implicit,  ///< packed straight from the image
};

std::int64_t forward_gemm_workspace(const Geometry& g, Lowering lowering) noexcept;
double forward_gemm_cost(const Geometry& g, Lowering lowering, ColumnOrder order) noexcept;
double forward_gemm_error_bound(const Geometry& g) noexcept;

/// y_col = x_col . w_col + b, group by group, by blocks of output positions. `order` is kh_kw_c for implicit lowering.
bool run_forward_gemm(const Geometry& g, const Operands& o, Lowering lowering, ColumnOrder order, float* workspace,
                      const ProgressHook& progress) noexcept;

}  // namespace conv2d::algorithm
