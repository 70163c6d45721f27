#include "mistakes/mistake.hpp"

namespace conv2d::mistakes {
namespace {

/// With the zeros of the padding among the steps, and without.
int ways(const Geometry&, Pass) { return 2; }

std::optional<Places> each(const Geometry& g, Pass pass, const Term& term, int way) {
  const Places there = places(g, term);
  const bool inside = there.row >= 0 && there.row < g.h && there.col >= 0 && there.col < g.w;
  if (way == 1 && pass != Pass::backward_bias && !inside) return {};
  return there;
}

}  // namespace

extern const Mistake assigned = {
    .name = "assigned",
    .sentence = "Each step replaced what the steps before it had left: = where += is meant. Only the last one remains.",
    .ways = ways,
    .places = each,
    .adding = Adding::last_step,
};

}  // namespace conv2d::mistakes
