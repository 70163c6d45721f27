#include "algorithms/winograd.hpp"
#include "engines/windows/passes.hpp"
#include "engines/winograd/winograd.hpp"

namespace conv2d::algorithm {
namespace {

double error_bound(const Geometry& g) { return winograd_error_bound(g.c, 4); }

ExecutablePointer prepare(const Geometry& g, const PrepareOptions& options) {
  return prepare_winograd(engine::forward_product(g, *options.kernels), 4, engine::forward_tensors, options);
}

}  // namespace

extern const Entry forward_winograd_4x4 = {
    .name = "winograd_4x4",
    .pass = Pass::forward,
    .description =
        "4 x 4 outputs at a time with 36 products instead of 144: cells and weights are transformed, multiplied "
        "element by element and transformed back (Lavin and Gray).",
    .layouts = Layouts::nhwc_only,
    .unsupported_reason = winograd_unsupported_reason,
    .error_bound = error_bound,
    .accuracy = Accuracy::fast,
    .prepare = prepare,
};

}  // namespace conv2d::algorithm
