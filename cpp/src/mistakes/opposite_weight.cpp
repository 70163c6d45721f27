#include "mistakes/mistake.hpp"

namespace conv2d::mistakes {
namespace {

int variants(const Geometry& g, Pass pass) { return pass == Pass::backward_bias || g.kh * g.kw == 1 ? 0 : 1; }

std::optional<Indices> opposite(const Geometry& g, Pass, const Term& term, int) {
  Indices at = indices(g, term);
  at.p = g.kh - 1 - at.p;
  at.q = g.kw - 1 - at.q;
  return at;
}

}  // namespace

extern const Mistake opposite_weight = {
    .name = "opposite_weight",
    .title = "Weight of the opposite corner",
    .sentence =
        "Each product used the weight of the opposite corner. For dx the kernel is flipped by 180°; here it was not.",
    .lesson = "gather.5",
    .variants = variants,
    .indices = opposite,
    .forward = {.sentence =
                    "Each product used the weight of the opposite corner: the kernel was flipped. The forward pass "
                    "does not flip it: the first weight multiplies the first cell of the window.",
                .lesson = "one-window.4"},
    .weights = {.sentence = "Each product was added to the weight of the opposite corner: dw was flipped. The gradient "
                            "of a weight sums the cells of x that this weight multiplied, times dy.",
                .lesson = "dw.4"},
};

}  // namespace conv2d::mistakes
