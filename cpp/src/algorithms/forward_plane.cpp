#include "algorithms/loops.hpp"
#include "algorithms/plane.hpp"
#include "algorithms/window_products.hpp"

namespace conv2d::algorithm {
namespace {

gemm::WindowProduct product(const Geometry& g, const Operands& o) { return forward_product(g, o); }

std::string why_not(const Geometry& g) { return why_not_plane(g, product); }
std::int64_t workspace(const Geometry& g) { return gemm::plane_workspace(product(g, {})); }
double cost(const Geometry& g) { return gemm::plane_cost(product(g, {})); }
double error_bound(const Geometry& g) { return sum_error_bound(g.kh * g.kw + 1); }

bool run(const Geometry& g, const Operands& o, float* workspace, const ProgressHook& progress) noexcept {
  return run_plane(product(g, o), workspace, progress);
}

}  // namespace

extern const Entry forward_plane = {
    .name = "plane",
    .pass = Pass::forward,
    .description =
        "One channel, one filter: a register holds neighbouring columns of y, to which each tap in turn adds its "
        "weight times the cells that lie under it.",
    .why_not = why_not,
    .workspace_floats = workspace,
    .cost = cost,
    .error_bound = error_bound,
    .run = run,
};

}  // namespace conv2d::algorithm
