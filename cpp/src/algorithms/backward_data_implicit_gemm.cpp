#include "algorithms/loops.hpp"
#include "base/checked.hpp"
#include "base/text.hpp"
#include "engines/windows/passes.hpp"
#include "engines/windows/windows.hpp"

namespace conv2d::algorithm {
namespace {

// Planning visits every phase.
constexpr std::int64_t kMostPhases = 1024;

std::string why_not(const Geometry& g) {
  if ((CheckedInt(g.stride_h) * g.stride_w).value_or(kMostPhases + 1) <= kMostPhases) return {};
  return text("it takes at most ", kMostPhases, " phases, stride_h x stride_w");
}

double error_bound(const Geometry& g) { return sum_error_bound(g.kh * g.kw * g.group_k); }

PreparedPointer prepare(const Geometry& g, const Request& request) {
  return prepare_windows(engine::backward_data_products(g, *request.kernels), engine::backward_data_tensors, request);
}

}  // namespace

extern const Entry backward_data_implicit_gemm = {
    .name = "implicit_gemm",
    .pass = Pass::backward_data,
    .description =
        "Each phase of the stride as one product: windows of dy, read where they lie, times the taps of w that "
        "meet its cells, turned.",
    .layouts = Layouts::nhwc_only,
    .why_not = why_not,
    .error_bound = error_bound,
    .prepare = prepare,
};

}  // namespace conv2d::algorithm
