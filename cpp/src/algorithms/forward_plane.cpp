#include "algorithms/loops.hpp"
#include "algorithms/plane.hpp"
#include "engines/plane/plane.hpp"
#include "engines/windows/passes.hpp"

namespace conv2d::algorithm {
namespace {

std::string unsupported_reason(const Geometry& g) { return plane_unsupported_reason(g, engine::forward_product); }
double error_bound(const Geometry& g) { return sum_error_bound(g.kh * g.kw + 1); }

ExecutablePointer prepare(const Geometry& g, const PrepareOptions& options) {
  return prepare_plane(engine::forward_product(g, *options.kernels), engine::forward_tensors, options);
}

}  // namespace

extern const Entry forward_plane = {
    .name = "plane",
    .pass = Pass::forward,
    .description =
        "One channel, one filter: a register holds neighboring columns of y. Each tap adds its weight times the cells "
        "under it.",
    .unsupported_reason = unsupported_reason,
    .error_bound = error_bound,
    .prepare = prepare,
};

}  // namespace conv2d::algorithm
