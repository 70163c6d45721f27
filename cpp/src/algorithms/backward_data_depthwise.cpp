#include "algorithms/entry.hpp"
#include "algorithms/loops.hpp"
#include "engines/depthwise/depthwise.hpp"

namespace conv2d::algorithm {

extern const Entry backward_data_depthwise = {
    .name = "depthwise",
    .pass = Pass::backward_data,
    .description =
        "One channel per filter: for each cell of x, adds the outputs that use it, one register of channels at a "
        "time.",
    .layouts = Layouts::nhwc_only,
    .unsupported_reason = engine::depthwise_unsupported_reason,
    .error_bound = [](const Geometry& g) { return sum_error_bound(g.kh * g.kw + g.group_k); },
    .prepare = engine::prepare_depthwise_backward_data,
};

}  // namespace conv2d::algorithm
