#include "mistakes/mistake.hpp"

namespace conv2d::mistakes {
namespace {

int variants(const Geometry& g, Pass pass) {
  return pass != Pass::backward_bias && (g.padding.top > 0 || g.padding.left > 0) ? 1 : 0;
}

std::optional<Indices> shifted(const Geometry& g, Pass, const Term& term, int) {
  Indices at = indices(g, term);
  at.row += g.padding.top;
  at.col += g.padding.left;
  return at;
}

}  // namespace

extern const Mistake unpadded_indices = {
    .name = "unpadded_indices",
    .title = "x instead of padded x",
    .sentence = "x was read with the indices of padded x. Both start at 0, but padded x begins with the padding.",
    .lesson = "padding.2",
    .variants = variants,
    .indices = shifted,
};

}  // namespace conv2d::mistakes
