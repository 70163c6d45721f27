#include "algorithms/loops.hpp"
#include "algorithms/window_products.hpp"
#include "gemm/packed_weights.hpp"
#include "gemm/window_run.hpp"
#include "gemm/window_share.hpp"

namespace conv2d::algorithm {
namespace {

std::int64_t workspace(const Geometry& g) { return gemm::window_workspace(forward_product(g, {})); }
double cost(const Geometry& g) { return gemm::window_cost(forward_product(g, {})); }
double error_bound(const Geometry& g) { return sum_error_bound(g.kh * g.kw * g.group_c + 1); }

int shares(const Geometry& g, int most) { return gemm::share_count(forward_product(g, {}), most); }
std::int64_t workspace_of_share(const Geometry& g, int shares) {
  return gemm::share_workspace(forward_product(g, {}), shares);
}

std::int64_t packed(const Geometry& g) { return gemm::packed_weights_floats(forward_product(g, {})).value_or(-1); }
void pack(const Geometry& g, const float* w, float* packed) noexcept {
  gemm::pack_weights(forward_product(g, {.w = w}), packed);
}

bool run(const Geometry& g, const Operands& o, float* workspace, const ProgressHook& progress) noexcept {
  const gemm::WindowProduct product = gemm::share_of(forward_product(g, o), o.share);
  gemm::WindowRun windows(product, workspace);
  return in_portions(windows.steps(), windows.macs_per_step(), progress, [&](Range steps) {
    for (std::int64_t t = steps.begin; t < steps.end; ++t) windows.step(t);
  });
}

}  // namespace

extern const Entry forward_implicit_gemm = {
    .name = "implicit_gemm",
    .pass = Pass::forward,
    .description =
        "The same product without x_col: its rows, the windows, are read where they lie in the image, several "
        "at a time.",
    .layouts = Layouts::nhwc_only,
    .why_not = always_supported,
    .workspace_floats = workspace,
    .cost = cost,
    .error_bound = error_bound,
    .division = divided({.shares = shares, .workspace_floats = workspace_of_share}),
    .packing = {.floats = packed, .pack = pack, .cycles = gemm::kPackingCycles},
    .run = run,
};

}  // namespace conv2d::algorithm
