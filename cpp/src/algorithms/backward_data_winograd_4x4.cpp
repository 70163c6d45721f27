#include "algorithms/winograd.hpp"
#include "engines/windows/passes.hpp"
#include "engines/winograd/winograd.hpp"

namespace conv2d::algorithm {
namespace {

double error_bound(const Geometry& g) { return winograd_error_bound(g.k, 4); }

/// With stride 1 there is one phase.
PreparedPointer prepare(const Geometry& g, const Request& request) {
  return prepare_winograd(engine::phase_product(g, *request.kernels, 0, 0), 4, engine::backward_data_tensors, request);
}

}  // namespace

extern const Entry backward_data_winograd_4x4 = {
    .name = "winograd_4x4",
    .pass = Pass::backward_data,
    .description =
        "The turned kernel over dy, 4 x 4 outputs at a time out of 36 products in place of 144: both are "
        "transformed, multiplied element by element and transformed back.",
    .layouts = Layouts::nhwc_only,
    .why_not = why_not_winograd,
    .error_bound = error_bound,
    .mixes_cells = true,
    .prepare = prepare,
};

}  // namespace conv2d::algorithm
