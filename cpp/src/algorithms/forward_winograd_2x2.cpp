#include "algorithms/winograd.hpp"
#include "engines/windows/passes.hpp"
#include "engines/winograd/winograd.hpp"

namespace conv2d::algorithm {
namespace {

double error_bound(const Geometry& g) { return winograd_error_bound(g.c, 2); }

ExecutablePointer prepare(const Geometry& g, const PrepareOptions& options) {
  return prepare_winograd(engine::forward_product(g, *options.kernels), 2, engine::forward_tensors, options);
}

}  // namespace

extern const Entry forward_winograd_2x2 = {
    .name = "winograd_2x2",
    .pass = Pass::forward,
    .description =
        "2 x 2 outputs at a time with 16 products instead of 36: cells and weights are transformed, multiplied "
        "element by element and transformed back (Lavin and Gray).",
    .layouts = Layouts::nhwc_only,
    .unsupported_reason = winograd_unsupported_reason,
    .error_bound = error_bound,
    .accuracy = Accuracy::standard,
    .prepare = prepare,
};

}  // namespace conv2d::algorithm
