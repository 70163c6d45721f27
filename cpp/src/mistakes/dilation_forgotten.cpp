#include "mistakes/mistake.hpp"

namespace conv2d::mistakes {
namespace {

int variants(const Geometry& g, Pass pass) {
  return pass != Pass::backward_bias && (g.dilation_h > 1 || g.dilation_w > 1) ? 1 : 0;
}

std::optional<Indices> dense(const Geometry& g, Pass, const Term& term, int) {
  Indices at = indices(g, term);
  at.row -= term.p * (g.dilation_h - 1);
  at.col -= term.q * (g.dilation_w - 1);
  return at;
}

}  // namespace

extern const Mistake dilation_forgotten = {
    .name = "dilation_forgotten",
    .title = "Dilation forgotten",
    .sentence = "The dilation was ignored: the taps of the kernel were adjacent, without gaps.",
    .lesson = "groups.1",
    .variants = variants,
    .indices = dense,
};

}  // namespace conv2d::mistakes
