#include "algorithms/loops.hpp"
#include "algorithms/plane.hpp"
#include "algorithms/window_products.hpp"
#include "base/text.hpp"

namespace conv2d::algorithm {
namespace {

/// With stride 1 there is one phase.
gemm::WindowProduct product(const Geometry& g, const Operands& o) { return phase_product(g, o, 0, 0); }

std::string why_not(const Geometry& g) {
  if (g.stride_h != 1) return text("it turns the forward pass round, which needs stride 1");
  return why_not_plane(g, product);
}
std::int64_t workspace(const Geometry& g) { return gemm::plane_workspace(product(g, {})); }
double cost(const Geometry& g) { return gemm::plane_cost(product(g, {})); }
double error_bound(const Geometry& g) { return sum_error_bound(g.kh * g.kw); }

bool run(const Geometry& g, const Operands& o, float* workspace, const ProgressHook& progress) noexcept {
  return run_plane(product(g, o), workspace, progress);
}

}  // namespace

extern const Entry backward_data_plane = {
    .name = "plane",
    .pass = Pass::backward_data,
    .description =
        "One channel, one filter: a register holds neighbouring columns of dx, to which each tap of w, turned, adds "
        "its weight times the dy that lies under it.",
    .why_not = why_not,
    .workspace_floats = workspace,
    .cost = cost,
    .error_bound = error_bound,
    .run = run,
};

}  // namespace conv2d::algorithm
