#pragma once

#include "engines/products/gemm.hpp"
#include "transforms/column_rows.hpp"

/// The product dx_col = dy_col . w_col^T, which col2im adds to dx and the trace shows. Precondition of all: NHWC
/// tensors, whatever g.layout says.
namespace conv2d::engine {

/// Packs w_col^T of a group. `packed` holds gemm.packed_b_floats(kh * kw * c / groups, k / groups).
PackedB pack_w_col_transposed(const Gemm& gemm, const Geometry& g, const float* w, std::int64_t group,
                              float* packed) noexcept;

/// Writes rows of dx_col (kh_kw_c). `w_col_transposed` is packed for the group of the rows; `packed_a` holds
/// Gemm::packed_a_floats().
void multiply_dx_col(const Gemm& gemm, const Geometry& g, const ColumnRows& rows, const float* dy,
                     const PackedB& w_col_transposed, float* packed_a, float* dx_col) noexcept;

}  // namespace conv2d::engine
