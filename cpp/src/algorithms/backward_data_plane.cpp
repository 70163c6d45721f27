#include "algorithms/loops.hpp"
#include "algorithms/plane.hpp"
#include "base/text.hpp"
#include "engines/plane/plane.hpp"
#include "engines/windows/passes.hpp"

namespace conv2d::algorithm {
namespace {

/// With stride 1 there is one phase.
engine::WindowProduct product(const Geometry& g, const engine::KernelSet& kernels) noexcept {
  return engine::phase_product(g, kernels, 0, 0);
}

std::string why_not(const Geometry& g) {
  if (g.stride_h != 1) return text("it turns the forward pass round, which needs stride 1");
  return why_not_plane(g, product);
}
double error_bound(const Geometry& g) { return sum_error_bound(g.kh * g.kw); }

PreparedPointer prepare(const Geometry& g, const Request& request) {
  return prepare_plane(product(g, *request.kernels), engine::backward_data_tensors, request);
}

}  // namespace

extern const Entry backward_data_plane = {
    .name = "plane",
    .pass = Pass::backward_data,
    .description =
        "One channel, one filter: a register holds neighbouring columns of dx, to which each tap of w, turned, adds "
        "its weight times the dy that lies under it.",
    .why_not = why_not,
    .error_bound = error_bound,
    .prepare = prepare,
};

}  // namespace conv2d::algorithm
