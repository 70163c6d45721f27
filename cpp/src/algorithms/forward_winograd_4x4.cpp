#include "algorithms/winograd.hpp"
#include "engines/windows/passes.hpp"
#include "engines/winograd/winograd.hpp"

namespace conv2d::algorithm {
namespace {

double error_bound(const Geometry& g) { return winograd_error_bound(g.c, 4); }

PreparedPointer prepare(const Geometry& g, const Request& request) {
  return prepare_winograd(engine::forward_product(g, *request.kernels), 4, engine::forward_tensors, request);
}

}  // namespace

extern const Entry forward_winograd_4x4 = {
    .name = "winograd_4x4",
    .pass = Pass::forward,
    .description =
        "4 x 4 outputs at a time out of 36 products in place of 144: cells and weights are transformed, "
        "multiplied element by element and transformed back (Lavin and Gray).",
    .layouts = Layouts::nhwc_only,
    .why_not = why_not_winograd,
    .error_bound = error_bound,
    .mixes_cells = true,
    .prepare = prepare,
};

}  // namespace conv2d::algorithm
