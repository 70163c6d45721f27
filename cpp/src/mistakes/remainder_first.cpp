#include "mistakes/mistake.hpp"

namespace conv2d::mistakes {
namespace {

int ways(const Geometry& g, Pass pass) {
  const bool has_x = pass == Pass::backward_data || pass == Pass::backward_weights;
  return has_x && (g.remainder_h > 0 || g.remainder_w > 0) ? 1 : 0;
}

std::optional<Places> at_the_end(const Geometry& g, Pass, const Term& term, int) {
  Places there = places(g, term);
  there.row += g.remainder_h;
  there.col += g.remainder_w;
  return there;
}

}  // namespace

extern const Mistake remainder_first = {
    .name = "remainder_first",
    .title = "Remainder on the wrong side",
    .sentence =
        "The rows and columns that no window reads were taken for the first ones. They are the last: below and to the "
        "right of all windows.",
    .lesson = "remainder.1",
    .ways = ways,
    .places = at_the_end,
};

}  // namespace conv2d::mistakes
