#include "mistakes/mistake.hpp"

namespace conv2d::mistakes {
namespace {

int variants(const Geometry& g, Pass pass) { return pass != Pass::backward_bias && g.stride_h != g.stride_w ? 1 : 0; }

std::optional<Indices> exchanged(const Geometry& g, Pass, const Term& term, int) {
  Indices at = indices(g, term);
  at.row += term.i * (g.stride_w - g.stride_h);
  at.col += term.j * (g.stride_h - g.stride_w);
  return at;
}

}  // namespace

extern const Mistake strides_exchanged = {
    .name = "strides_exchanged",
    .title = "Strides of rows and columns exchanged",
    .sentence = "The two strides were exchanged: the window moved down by stride_w and right by stride_h.",
    .lesson = "sliding.4",
    .variants = variants,
    .indices = exchanged,
};

}  // namespace conv2d::mistakes
