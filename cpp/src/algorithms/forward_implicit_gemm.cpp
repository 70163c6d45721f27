#include "algorithms/loops.hpp"
#include "engines/windows/passes.hpp"
#include "engines/windows/windows.hpp"

namespace conv2d::algorithm {
namespace {

double error_bound(const Geometry& g) { return sum_error_bound(g.kh * g.kw * g.group_c + 1); }

ExecutablePointer prepare(const Geometry& g, const PrepareOptions& options) {
  return prepare_windows(engine::forward_products(g, *options.kernels), engine::forward_tensors, options);
}

}  // namespace

extern const Entry forward_implicit_gemm = {
    .name = "implicit_gemm",
    .pass = Pass::forward,
    .description = "The same product without x_col: it reads the windows in place in the image, several at a time.",
    .layouts = Layouts::nhwc_only,
    .unsupported_reason = always_supported,
    .error_bound = error_bound,
    .prepare = prepare,
};

}  // namespace conv2d::algorithm
