#include "mistakes/mistake.hpp"

namespace conv2d::mistakes {
namespace {

bool sums_over_images(Pass pass) { return pass == Pass::backward_weights || pass == Pass::backward_bias; }

/// The image that was taken.
int ways(const Geometry& g, Pass pass) { return sums_over_images(pass) && g.n > 1 ? static_cast<int>(g.n) : 0; }

std::optional<Places> of_image(const Geometry& g, Pass, const Term& term, int way) {
  if (term.n != way) return {};
  return places(g, term);
}

}  // namespace

extern const Mistake one_image = {
    .name = "one_image",
    .title = "One image of the batch only",
    .sentence =
        "Only one image of the batch was counted. All images share w and b, so that dw and db are sums over the batch.",
    .lesson = "bias-batch.3",
    .ways = ways,
    .places = of_image,
};

}  // namespace conv2d::mistakes
