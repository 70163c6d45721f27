#include "algorithms/forward_gemm.hpp"
#include "algorithms/loops.hpp"

namespace conv2d::algorithm {
namespace {

std::int64_t workspace(const Geometry& g) { return forward_gemm_workspace(g); }
double cost(const Geometry& g) { return forward_gemm_cost(g, ColumnOrder::kh_kw_c); }
double error_bound(const Geometry& g) { return forward_gemm_error_bound(g); }

bool run(const Geometry& g, const Operands& o, float* workspace, const ProgressHook& progress) noexcept {
  return run_forward_gemm(g, o, ColumnOrder::kh_kw_c, workspace, progress);
}

}  // namespace

extern const Entry forward_im2col_gemm = {
    .name = "im2col_gemm",
    .pass = Pass::forward,
    .description =
        "Every window becomes a row of x_col, (p, q, c) from left to right; y is the matrix product x_col . w_col.",
    .layouts = Layouts::nhwc_only,
    .why_not = always_supported,
    .workspace_floats = workspace,
    .cost = cost,
    .error_bound = error_bound,
    .run = run,
};

}  // namespace conv2d::algorithm
