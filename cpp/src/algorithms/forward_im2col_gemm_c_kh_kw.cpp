#include "algorithms/loops.hpp"
#include "engines/products/products.hpp"

namespace conv2d::algorithm {
namespace {

double error_bound(const Geometry& g) { return sum_error_bound(g.kh * g.kw * g.group_c + 1); }

PreparedPointer prepare(const Geometry& g, const Request& request) {
  return engine::prepare_lowered_forward(g, ColumnOrder::c_kh_kw, request);
}

}  // namespace

extern const Entry forward_im2col_gemm_c_kh_kw = {
    .name = "im2col_gemm_c_kh_kw",
    .pass = Pass::forward,
    .description = "The same product with the columns in (c, p, q) order, as PyTorch's unfold makes them.",
    .layouts = Layouts::nhwc_only,
    .why_not = always_supported,
    .error_bound = error_bound,
    .prepare = prepare,
};

}  // namespace conv2d::algorithm
