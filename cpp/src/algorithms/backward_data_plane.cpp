#include "algorithms/loops.hpp"
#include "algorithms/plane.hpp"
#include "base/text.hpp"
#include "engines/plane/plane.hpp"
#include "engines/windows/passes.hpp"

namespace conv2d::algorithm {
namespace {

/// With stride 1 there is one phase.
engine::WindowProduct product(const Geometry& g, const engine::KernelSet& kernels) noexcept {
  return engine::phase_product(g, kernels, 0, 0);
}

std::string unsupported_reason(const Geometry& g) {
  if (g.stride_h != 1) return text("it runs as a forward pass with the flipped kernel, which needs stride 1");
  return plane_unsupported_reason(g, product);
}
double error_bound(const Geometry& g) { return sum_error_bound(g.kh * g.kw); }

ExecutablePointer prepare(const Geometry& g, const PrepareOptions& options) {
  return prepare_plane(product(g, *options.kernels), engine::backward_data_tensors, options);
}

}  // namespace

extern const Entry backward_data_plane = {
    .name = "plane",
    .pass = Pass::backward_data,
    .description =
        "One channel, one filter: a register holds neighboring columns of dx. Each tap of the flipped w adds its "
        "weight times the dy under it.",
    .unsupported_reason = unsupported_reason,
    .error_bound = error_bound,
    .prepare = prepare,
};

}  // namespace conv2d::algorithm
