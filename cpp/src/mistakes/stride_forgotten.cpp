#include "mistakes/mistake.hpp"

namespace conv2d::mistakes {
namespace {

int variants(const Geometry& g, Pass pass) {
  return pass != Pass::backward_bias && (g.stride_h > 1 || g.stride_w > 1) ? 1 : 0;
}

std::optional<Indices> dense(const Geometry& g, Pass, const Term& term, int) {
  Indices at = indices(g, term);
  at.row -= term.i * (g.stride_h - 1);
  at.col -= term.j * (g.stride_w - 1);
  return at;
}

}  // namespace

extern const Mistake stride_forgotten = {
    .name = "stride_forgotten",
    .title = "Stride forgotten",
    .sentence =
        "The stride was ignored: the windows were one cell apart. For dx this means that the zeros between the cells "
        "of dy were not inserted.",
    .lesson = "stride.2",
    .variants = variants,
    .indices = dense,
};

}  // namespace conv2d::mistakes
