#include "algorithms/loops.hpp"
#include "engines/products/products.hpp"

namespace conv2d::algorithm {
namespace {

double error_bound(const Geometry& g) { return sum_error_bound(g.n * g.oh * g.ow); }

ExecutablePointer prepare(const Geometry& g, const PrepareOptions& options) {
  return engine::prepare_im2col_weights(g, options);
}

}  // namespace

extern const Entry backward_weights_im2col = {
    .name = "im2col_gemm",
    .pass = Pass::backward_weights,
    .description =
        "dw_col = x_col^T . dy_col, summed over blocks of output positions. The rows of x_col are packed directly "
        "from the image.",
    .layouts = Layouts::nhwc_only,
    .unsupported_reason = always_supported,
    .error_bound = error_bound,
    .prepare = prepare,
};

}  // namespace conv2d::algorithm
