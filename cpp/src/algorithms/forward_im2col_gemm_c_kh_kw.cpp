#include "algorithms/forward_gemm.hpp"
#include "algorithms/loops.hpp"

namespace conv2d::algorithm {
namespace {

std::int64_t workspace(const Geometry& g) { return forward_gemm_workspace(g); }
double cost(const Geometry& g) { return forward_gemm_cost(g, ColumnOrder::c_kh_kw); }
double error_bound(const Geometry& g) { return forward_gemm_error_bound(g); }

bool run(const Geometry& g, const Operands& o, float* workspace, const ProgressHook& progress) noexcept {
  return run_forward_gemm(g, o, ColumnOrder::c_kh_kw, workspace, progress);
}

}  // namespace

extern const Entry forward_im2col_gemm_c_kh_kw = {
    .name = "im2col_gemm_c_kh_kw",
    .pass = Pass::forward,
    .description = "The same product with the columns in (c, p, q) order, as PyTorch's unfold makes them.",
    .layouts = Layouts::nhwc_only,
    .why_not = always_supported,
    .workspace_floats = workspace,
    .cost = cost,
    .error_bound = error_bound,
    .run = run,
};

}  // namespace conv2d::algorithm
