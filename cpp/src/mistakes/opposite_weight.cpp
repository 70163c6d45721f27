#include "mistakes/mistake.hpp"

namespace conv2d::mistakes {
namespace {

int ways(const Geometry& g, Pass pass) { return pass == Pass::backward_bias || g.kh * g.kw == 1 ? 0 : 1; }

std::optional<Places> opposite(const Geometry& g, Pass, const Term& term, int) {
  Places there = places(g, term);
  there.p = g.kh - 1 - there.p;
  there.q = g.kw - 1 - there.q;
  return there;
}

}  // namespace

extern const Mistake opposite_weight = {
    .name = "opposite_weight",
    .title = "The weight of the opposite corner",
    .sentence =
        "Each product took the weight of the opposite corner: the kernel was turned where it must not be (y and dw), "
        "or not turned where it must be (dx).",
    .lesson = "gather.5",
    .ways = ways,
    .places = opposite,
};

}  // namespace conv2d::mistakes
