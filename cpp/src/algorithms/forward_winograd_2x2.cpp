#include "algorithms/loops.hpp"
#include "algorithms/window_products.hpp"
#include "algorithms/winograd.hpp"
#include "gemm/window_share.hpp"

namespace conv2d::algorithm {
namespace {

constexpr std::int64_t kOutputs = 2;
constexpr gemm::WindowMethod kMethod = gemm::kWinograd<kOutputs>;

std::int64_t workspace(const Geometry& g) { return gemm::winograd_workspace(forward_product(g, {}), kOutputs); }
double cost(const Geometry& g) { return gemm::winograd_cost(forward_product(g, {}), kOutputs); }
double error_bound(const Geometry& g) { return winograd_error_bound(g.c, kOutputs); }

int shares(const Geometry& g, int most) { return gemm::share_count(forward_product(g, {}), kMethod, most); }
std::int64_t workspace_of_share(const Geometry& g, int shares) {
  return gemm::share_workspace(forward_product(g, {}), kMethod, shares);
}

bool run(const Geometry& g, const Operands& o, float* workspace, const ProgressHook& progress) noexcept {
  const gemm::WindowProduct product = gemm::share_of(forward_product(g, o), kMethod, o.share);
  return run_winograd(product, kOutputs, workspace, progress);
}

}  // namespace

extern const Entry forward_winograd_2x2 = {
    .name = "winograd_2x2",
    .pass = Pass::forward,
    .description =
        "2 x 2 outputs at a time out of 16 products in place of 36: cells and weights are transformed, "
        "multiplied element by element and transformed back (Lavin and Gray).",
    .layouts = Layouts::nhwc_only,
    .why_not = why_not_winograd,
    .workspace_floats = workspace,
    .cost = cost,
    .error_bound = error_bound,
    .mixes_cells = true,
    .division = divided(shares, workspace_of_share),
    .run = run,
};

}  // namespace conv2d::algorithm
