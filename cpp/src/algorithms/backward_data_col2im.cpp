#include "algorithms/loops.hpp"
#include "engines/products/products.hpp"

namespace conv2d::algorithm {
namespace {

/// A cell of dx_col sums over the group's filters; a cell of dx adds up to kh * kw of them.
double error_bound(const Geometry& g) { return sum_error_bound(g.group_k + g.kh * g.kw); }

PreparedPointer prepare(const Geometry& g, const Request& request) { return engine::prepare_col2im(g, request); }

}  // namespace

extern const Entry backward_data_col2im = {
    .name = "col2im",
    .pass = Pass::backward_data,
    .description =
        "dx_col = dy_col . w_col^T, then col2im: every copy that im2col made of a cell brings its gradient "
        "home, and they are added.",
    .layouts = Layouts::nhwc_only,
    .why_not = always_supported,
    .error_bound = error_bound,
    .prepare = prepare,
};

}  // namespace conv2d::algorithm
