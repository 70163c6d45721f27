#include "mistakes/mistake.hpp"

namespace conv2d::mistakes {
namespace {

int ways(const Geometry& g, Pass pass) {
  return pass != Pass::backward_bias && (g.dilation_h > 1 || g.dilation_w > 1) ? 1 : 0;
}

std::optional<Places> dense(const Geometry& g, Pass, const Term& term, int) {
  Places there = places(g, term);
  there.row -= term.p * (g.dilation_h - 1);
  there.col -= term.q * (g.dilation_w - 1);
  return there;
}

}  // namespace

extern const Mistake dilation_forgotten = {
    .name = "dilation_forgotten",
    .title = "Dilation forgotten",
    .sentence = "The dilation was forgotten: the taps of the kernel lay side by side, without the gaps between them.",
    .lesson = "groups.1",
    .ways = ways,
    .places = dense,
};

}  // namespace conv2d::mistakes
