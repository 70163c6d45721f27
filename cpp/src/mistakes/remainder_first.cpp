#include "mistakes/mistake.hpp"

namespace conv2d::mistakes {
namespace {

int variants(const Geometry& g, Pass pass) {
  const bool has_x = pass == Pass::backward_data || pass == Pass::backward_weights;
  return has_x && (g.remainder_h > 0 || g.remainder_w > 0) ? 1 : 0;
}

std::optional<Indices> at_the_end(const Geometry& g, Pass, const Term& term, int) {
  Indices at = indices(g, term);
  at.row += g.remainder_h;
  at.col += g.remainder_w;
  return at;
}

}  // namespace

extern const Mistake remainder_first = {
    .name = "remainder_first",
    .title = "Remainder on the wrong side",
    .sentence =
        "The rows and columns that no window reads were assumed to be the first. They are the last: at the bottom and "
        "at the right.",
    .lesson = "remainder.1",
    .variants = variants,
    .indices = at_the_end,
};

}  // namespace conv2d::mistakes
