#include "algorithms/loops.hpp"
#include "engines/products/products.hpp"

namespace conv2d::algorithm {
namespace {

double error_bound(const Geometry& g) { return sum_error_bound(g.kh * g.kw * g.group_c + 1); }

ExecutablePointer prepare(const Geometry& g, const PrepareOptions& options) {
  return engine::prepare_im2col_forward(g, ColumnOrder::c_kh_kw, options);
}

}  // namespace

extern const Entry forward_im2col_gemm_c_kh_kw = {
    .name = "im2col_gemm_c_kh_kw",
    .pass = Pass::forward,
    .description = "The same product with the columns in (c, p, q) order, as in PyTorch's unfold.",
    .layouts = Layouts::nhwc_only,
    .unsupported_reason = always_supported,
    .error_bound = error_bound,
    .prepare = prepare,
};

}  // namespace conv2d::algorithm
