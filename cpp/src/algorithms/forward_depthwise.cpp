#include "algorithms/entry.hpp"
#include "algorithms/loops.hpp"
#include "engines/depthwise/depthwise.hpp"

namespace conv2d::algorithm {

extern const Entry forward_depthwise = {
    .name = "depthwise",
    .pass = Pass::forward,
    .description =
        "One channel per filter: the channels of a pixel lie side by side, and so do the filters of a tap, so "
        "that registers multiply them pairwise.",
    .layouts = Layouts::nhwc_only,
    .why_not = engine::why_not_depthwise,
    .error_bound = [](const Geometry& g) { return sum_error_bound(g.kh * g.kw + 1); },
    .prepare = engine::prepare_depthwise_forward,
};

}  // namespace conv2d::algorithm
