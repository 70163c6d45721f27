#include "algorithms/entry.hpp"
#include "algorithms/loops.hpp"
#include "engines/outer_product/outer_product.hpp"

namespace conv2d::algorithm {

extern const Entry backward_weights_outer_product = {
    .name = "outer_product",
    .pass = Pass::backward_weights,
    .description =
        "Every pixel adds the outer product of its window and its dy. A block of dw stays in registers for all pixels "
        "of a tap.",
    .layouts = Layouts::nhwc_only,
    .unsupported_reason = always_supported,
    .error_bound = [](const Geometry& g) { return sum_error_bound(g.n * g.oh * g.ow); },
    .prepare = engine::prepare_outer_product,
};

}  // namespace conv2d::algorithm
