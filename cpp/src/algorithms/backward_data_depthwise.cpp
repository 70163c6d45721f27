#include "algorithms/entry.hpp"
#include "algorithms/loops.hpp"
#include "engines/depthwise/depthwise.hpp"

namespace conv2d::algorithm {

extern const Entry backward_data_depthwise = {
    .name = "depthwise",
    .pass = Pass::backward_data,
    .description =
        "One channel per filter: every cell of x gathers the outputs that read it, a register of channels at "
        "a time.",
    .layouts = Layouts::nhwc_only,
    .why_not = engine::why_not_depthwise,
    .error_bound = [](const Geometry& g) { return sum_error_bound(g.kh * g.kw + g.group_k); },
    .prepare = engine::prepare_depthwise_backward_data,
};

}  // namespace conv2d::algorithm
