#include "algorithms/loops.hpp"
#include "algorithms/window_products.hpp"
#include "algorithms/winograd.hpp"
#include "gemm/winograd_run.hpp"

namespace conv2d::algorithm {
namespace {

constexpr std::int64_t kOutputs = 2;

std::int64_t workspace(const Geometry& g) { return gemm::winograd_workspace(phase_product(g, {}, 0, 0), kOutputs); }
double cost(const Geometry& g) { return gemm::winograd_cost(phase_product(g, {}, 0, 0), kOutputs); }
double error_bound(const Geometry& g) { return winograd_error_bound(g.k, kOutputs); }

bool run(const Geometry& g, const Operands& o, float* workspace, const ProgressHook& progress) noexcept {
  return run_winograd(phase_product(g, o, 0, 0), kOutputs, workspace, progress);
}

}  // namespace

extern const Entry backward_data_winograd_2x2 = {
    .name = "winograd_2x2",
    .pass = Pass::backward_data,
    .description =
        "The turned kernel over dy, 2 x 2 outputs at a time out of 16 products in place of 36: both are "
        "transformed, multiplied element by element and transformed back.",
    .layouts = Layouts::nhwc_only,
    .why_not = why_not_winograd,
    .workspace_floats = workspace,
    .cost = cost,
    .error_bound = error_bound,
    .mixes_cells = true,
    .run = run,
};

}  // namespace conv2d::algorithm
