#include "algorithms/forward_gemm.hpp"
#include "algorithms/loops.hpp"

namespace conv2d::algorithm {
namespace {

std::int64_t workspace(const Geometry& g) { return forward_gemm_workspace(g, Lowering::implicit); }
double cost(const Geometry& g) { return forward_gemm_cost(g, Lowering::implicit, ColumnOrder::kh_kw_c); }
double error_bound(const Geometry& g) { return forward_gemm_error_bound(g); }

bool run(const Geometry& g, const Operands& o, float* workspace, const ProgressHook& progress) noexcept {
  return run_forward_gemm(g, o, Lowering::implicit, ColumnOrder::kh_kw_c, workspace, progress);
}

}  // namespace

extern const Entry forward_implicit_gemm = {
    .name = "implicit_gemm",
    .pass = Pass::forward,
    .description =
        "The same product without x_col: blocks of it are packed straight from the image, when they are needed.",
    .layouts = Layouts::nhwc_only,
    .why_not = always_supported,
    .workspace_floats = workspace,
    .cost = cost,
    .error_bound = error_bound,
    .run = run,
};

}  // namespace conv2d::algorithm
