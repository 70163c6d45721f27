#include "algorithms/entry.hpp"
#include "algorithms/loops.hpp"
#include "engines/depthwise/depthwise.hpp"

namespace conv2d::algorithm {

extern const Entry forward_depthwise = {
    .name = "depthwise",
    .pass = Pass::forward,
    .description =
        "One channel per filter: the channels of a pixel are adjacent, and so are the filters of a tap. Registers "
        "multiply them pairwise.",
    .layouts = Layouts::nhwc_only,
    .unsupported_reason = engine::depthwise_unsupported_reason,
    .error_bound = [](const Geometry& g) { return sum_error_bound(g.kh * g.kw + 1); },
    .prepare = engine::prepare_depthwise_forward,
};

}  // namespace conv2d::algorithm
