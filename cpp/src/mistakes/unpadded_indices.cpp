#include "mistakes/mistake.hpp"

namespace conv2d::mistakes {
namespace {

int ways(const Geometry& g, Pass pass) {
  return pass != Pass::backward_bias && (g.padding.top > 0 || g.padding.left > 0) ? 1 : 0;
}

std::optional<Places> shifted(const Geometry& g, Pass, const Term& term, int) {
  Places there = places(g, term);
  there.row += g.padding.top;
  there.col += g.padding.left;
  return there;
}

}  // namespace

extern const Mistake unpadded_indices = {
    .name = "unpadded_indices",
    .title = "x in place of padded x",
    .sentence =
        "x was taken where padded x was meant: row 0 of the padded input is not row 0 of x, but lies as many rows "
        "above it as there is padding.",
    .lesson = "padding.2",
    .ways = ways,
    .places = shifted,
};

}  // namespace conv2d::mistakes
