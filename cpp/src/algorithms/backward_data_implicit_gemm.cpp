#include "algorithms/loops.hpp"
#include "base/checked.hpp"
#include "base/text.hpp"
#include "engines/windows/passes.hpp"
#include "engines/windows/windows.hpp"

namespace conv2d::algorithm {
namespace {

// Planning visits every phase, so their number is limited.
constexpr std::int64_t kMaxPhases = 1024;

std::string unsupported_reason(const Geometry& g) {
  if ((CheckedInt(g.stride_h) * g.stride_w).value_or(kMaxPhases + 1) <= kMaxPhases) return {};
  return text("it supports at most ", kMaxPhases, " phases (stride_h x stride_w)");
}

double error_bound(const Geometry& g) { return sum_error_bound(g.kh * g.kw * g.group_k); }

ExecutablePointer prepare(const Geometry& g, const PrepareOptions& options) {
  return prepare_windows(engine::backward_data_products(g, *options.kernels), engine::backward_data_tensors, options);
}

}  // namespace

extern const Entry backward_data_implicit_gemm = {
    .name = "implicit_gemm",
    .pass = Pass::backward_data,
    .description =
        "One product per phase of the stride: windows of dy, read in place, times the flipped taps of w that meet the "
        "phase.",
    .layouts = Layouts::nhwc_only,
    .unsupported_reason = unsupported_reason,
    .error_bound = error_bound,
    .prepare = prepare,
};

}  // namespace conv2d::algorithm
