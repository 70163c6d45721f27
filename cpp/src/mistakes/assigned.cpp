#include "mistakes/mistake.hpp"

namespace conv2d::mistakes {
namespace {

/// With the zeros of the padding among the steps, and without.
int ways(const Geometry&, Pass) { return 2; }

std::optional<Places> each(const Geometry& g, Pass pass, const Term& term, int way) {
  const Places there = places(g, term);
  if (way == 1 && pass != Pass::backward_bias && !in_x(g, there)) return {};
  return there;
}

}  // namespace

extern const Mistake assigned = {
    .name = "assigned",
    .title = "= in place of +=",
    .sentence = "Each step replaced what the steps before it had left: = where += is meant. Only the last one remains.",
    .lesson = "col2im.3",
    .ways = ways,
    .places = each,
    .adding = Adding::last_step,
};

}  // namespace conv2d::mistakes
