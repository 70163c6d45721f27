#include "algorithms/entry.hpp"
#include "algorithms/loops.hpp"
#include "engines/depthwise/depthwise.hpp"

namespace conv2d::algorithm {

extern const Entry backward_weights_depthwise = {
    .name = "depthwise",
    .pass = Pass::backward_weights,
    .description =
        "One channel per filter: for every tap, rows of x times rows of dy, a register of channels at a time.",
    .layouts = Layouts::nhwc_only,
    .why_not = engine::why_not_depthwise,
    .error_bound = [](const Geometry& g) { return sum_error_bound(g.n * g.oh * g.ow); },
    .prepare = engine::prepare_depthwise_backward_weights,
};

}  // namespace conv2d::algorithm
