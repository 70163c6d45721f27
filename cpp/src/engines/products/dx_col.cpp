#include "engines/products/dx_col.hpp"

#include "check/check.hpp"
#include "engines/products/matrices.hpp"
#include "transforms/panels.hpp"

namespace conv2d::engine {

PackedB pack_w_col_transposed(const Gemm& gemm, const Geometry& g, const float* w, std::int64_t group,
                              float* packed) noexcept {
  // HWIO weights are w_col with rows k apart. Read along the rows, they are w_col^T.
  const RowLanes w_col_transposed{.data = w + group * g.group_k, .row_stride = g.k};
  return gemm.pack_b(w_col_transposed.source(), columns_of(g), 0, g.group_k, packed);
}

void multiply_dx_col(const Gemm& gemm, const Geometry& g, const ColumnRows& rows, const float* dy,
                     const PackedB& w_col_transposed, float* packed_a, float* dx_col) noexcept {
  CONV2D_DCHECK(dy && packed_a && dx_col);
  const RowLanes dy_col{.data = dy + rows.group * g.group_k, .row_stride = g.k};
  gemm.multiply({.a = dy_col.source(),
                 .first_row = rows.first,
                 .m = rows.count,
                 .b = w_col_transposed,
                 .c = dx_col,
                 .ldc = w_col_transposed.n},
                packed_a);
}

}  // namespace conv2d::engine
