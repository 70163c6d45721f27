#include "algorithms/loops.hpp"
#include "engines/products/products.hpp"

namespace conv2d::algorithm {
namespace {

double error_bound(const Geometry& g) { return sum_error_bound(g.kh * g.kw * g.group_c + 1); }

ExecutablePointer prepare(const Geometry& g, const PrepareOptions& options) {
  return engine::prepare_im2col_forward(g, ColumnOrder::kh_kw_c, options);
}

}  // namespace

extern const Entry forward_im2col_gemm = {
    .name = "im2col_gemm",
    .pass = Pass::forward,
    .description = "Every window becomes a row of x_col, in (p, q, c) order. y is the matrix product x_col . w_col.",
    .layouts = Layouts::nhwc_only,
    .unsupported_reason = always_supported,
    .error_bound = error_bound,
    .prepare = prepare,
};

}  // namespace conv2d::algorithm
