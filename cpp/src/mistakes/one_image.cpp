#include "mistakes/mistake.hpp"

namespace conv2d::mistakes {
namespace {

bool sums_over_images(Pass pass) { return pass == Pass::backward_weights || pass == Pass::backward_bias; }

/// The variant is the image that was counted.
int variants(const Geometry& g, Pass pass) { return sums_over_images(pass) && g.n > 1 ? static_cast<int>(g.n) : 0; }

std::optional<Indices> of_image(const Geometry& g, Pass, const Term& term, int variant) {
  if (term.n != variant) return {};
  return indices(g, term);
}

}  // namespace

extern const Mistake one_image = {
    .name = "one_image",
    .title = "Only one image of the batch",
    .sentence =
        "Only one image of the batch was counted. All images share w and b, so dw and db are sums over the batch.",
    .lesson = "bias-batch.3",
    .variants = variants,
    .indices = of_image,
};

}  // namespace conv2d::mistakes
