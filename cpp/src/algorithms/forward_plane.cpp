#include "algorithms/loops.hpp"
#include "algorithms/plane.hpp"
#include "engines/plane/plane.hpp"
#include "engines/windows/passes.hpp"

namespace conv2d::algorithm {
namespace {

std::string why_not(const Geometry& g) { return why_not_plane(g, engine::forward_product); }
double error_bound(const Geometry& g) { return sum_error_bound(g.kh * g.kw + 1); }

PreparedPointer prepare(const Geometry& g, const Request& request) {
  return prepare_plane(engine::forward_product(g, *request.kernels), engine::forward_tensors, request);
}

}  // namespace

extern const Entry forward_plane = {
    .name = "plane",
    .pass = Pass::forward,
    .description =
        "One channel, one filter: a register holds neighbouring columns of y, to which each tap in turn adds its "
        "weight times the cells that lie under it.",
    .why_not = why_not,
    .error_bound = error_bound,
    .prepare = prepare,
};

}  // namespace conv2d::algorithm
