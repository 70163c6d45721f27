#include "mistakes/mistake.hpp"

namespace conv2d::mistakes {
namespace {

int ways(const Geometry& g, Pass pass) {
  return pass != Pass::backward_bias && (g.stride_h > 1 || g.stride_w > 1) ? 1 : 0;
}

std::optional<Places> dense(const Geometry& g, Pass, const Term& term, int) {
  Places there = places(g, term);
  there.row -= term.i * (g.stride_h - 1);
  there.col -= term.j * (g.stride_w - 1);
  return there;
}

}  // namespace

extern const Mistake stride_forgotten = {
    .name = "stride_forgotten",
    .title = "Stride forgotten",
    .sentence =
        "The stride was forgotten: the windows lay side by side, one cell apart. In dx that leaves out the zeros "
        "between the cells of dy.",
    .lesson = "stride.2",
    .ways = ways,
    .places = dense,
};

}  // namespace conv2d::mistakes
