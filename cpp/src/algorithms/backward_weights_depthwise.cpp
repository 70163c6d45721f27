#include "algorithms/entry.hpp"
#include "algorithms/loops.hpp"
#include "engines/depthwise/depthwise.hpp"

namespace conv2d::algorithm {

extern const Entry backward_weights_depthwise = {
    .name = "depthwise",
    .pass = Pass::backward_weights,
    .description =
        "One channel per filter: for every tap, multiplies rows of x with rows of dy, one register of channels at a "
        "time.",
    .layouts = Layouts::nhwc_only,
    .unsupported_reason = engine::depthwise_unsupported_reason,
    .error_bound = [](const Geometry& g) { return sum_error_bound(g.n * g.oh * g.ow); },
    .prepare = engine::prepare_depthwise_backward_weights,
};

}  // namespace conv2d::algorithm
