#include "algorithms/loops.hpp"
#include "engines/products/products.hpp"

namespace conv2d::algorithm {
namespace {

double error_bound(const Geometry& g) { return sum_error_bound(g.n * g.oh * g.ow); }

PreparedPointer prepare(const Geometry& g, const Request& request) {
  return engine::prepare_lowered_weights(g, request);
}

}  // namespace

extern const Entry backward_weights_im2col = {
    .name = "im2col_gemm",
    .pass = Pass::backward_weights,
    .description =
        "dw_col = x_col^T . dy_col, summed over blocks of output positions; the rows of x_col are packed "
        "straight from the image.",
    .layouts = Layouts::nhwc_only,
    .why_not = always_supported,
    .error_bound = error_bound,
    .prepare = prepare,
};

}  // namespace conv2d::algorithm
