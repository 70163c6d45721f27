#include "algorithms/winograd.hpp"
#include "engines/windows/passes.hpp"
#include "engines/winograd/winograd.hpp"

namespace conv2d::algorithm {
namespace {

double error_bound(const Geometry& g) { return winograd_error_bound(g.k, 2); }

/// With stride 1 there is one phase.
ExecutablePointer prepare(const Geometry& g, const PrepareOptions& options) {
  return prepare_winograd(engine::phase_product(g, *options.kernels, 0, 0), 2, engine::backward_data_tensors, options);
}

}  // namespace

extern const Entry backward_data_winograd_2x2 = {
    .name = "winograd_2x2",
    .pass = Pass::backward_data,
    .description =
        "The flipped kernel over dy, 2 x 2 outputs at a time with 16 products instead of 36. Both are transformed, "
        "multiplied element by element and transformed back.",
    .layouts = Layouts::nhwc_only,
    .unsupported_reason = winograd_unsupported_reason,
    .error_bound = error_bound,
    .accuracy = Accuracy::standard,
    .prepare = prepare,
};

}  // namespace conv2d::algorithm
