#pragma once

#include "algorithms/entry.hpp"
#include "conv2d/trace.hpp"

/// What the forward passes that write x_col and multiply it by w_col have in common. Precondition of all: NHWC.
namespace conv2d::algorithm {

std::int64_t forward_gemm_workspace(const Geometry& g) noexcept;
double forward_gemm_cost(const Geometry& g, ColumnOrder order) noexcept;
double forward_gemm_error_bound(const Geometry& g) noexcept;

/// y_col = x_col . w_col + b, group by group, by blocks of output positions.
bool run_forward_gemm(const Geometry& g, const Operands& o, ColumnOrder order, float* workspace,
                      const ProgressHook& progress) noexcept;

}  // namespace conv2d::algorithm
