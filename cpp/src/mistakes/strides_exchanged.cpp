#include "mistakes/mistake.hpp"

namespace conv2d::mistakes {
namespace {

int ways(const Geometry& g, Pass pass) { return pass != Pass::backward_bias && g.stride_h != g.stride_w ? 1 : 0; }

std::optional<Places> exchanged(const Geometry& g, Pass, const Term& term, int) {
  Places there = places(g, term);
  there.row += term.i * (g.stride_w - g.stride_h);
  there.col += term.j * (g.stride_h - g.stride_w);
  return there;
}

}  // namespace

extern const Mistake strides_exchanged = {
    .name = "strides_exchanged",
    .title = "Strides of rows and columns exchanged",
    .sentence =
        "The two strides were exchanged: the windows went down by the stride along the width, and right by the other.",
    .lesson = "sliding.4",
    .ways = ways,
    .places = exchanged,
};

}  // namespace conv2d::mistakes
