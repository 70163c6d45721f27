#include "algorithms/loops.hpp"
#include "engines/products/products.hpp"

namespace conv2d::algorithm {
namespace {

/// A cell of dx_col sums over the group's filters; a cell of dx adds up to kh * kw of them.
double error_bound(const Geometry& g) { return sum_error_bound(g.group_k + g.kh * g.kw); }

ExecutablePointer prepare(const Geometry& g, const PrepareOptions& options) {
  return engine::prepare_col2im(g, options);
}

}  // namespace

extern const Entry backward_data_col2im = {
    .name = "col2im",
    .pass = Pass::backward_data,
    .description =
        "dx_col = dy_col . w_col^T, then col2im: it adds the gradient of every copy of a cell back to the cell.",
    .layouts = Layouts::nhwc_only,
    .unsupported_reason = always_supported,
    .error_bound = error_bound,
    .prepare = prepare,
};

}  // namespace conv2d::algorithm
