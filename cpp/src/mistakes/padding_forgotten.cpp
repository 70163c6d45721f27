#include "mistakes/mistake.hpp"

namespace conv2d::mistakes {
namespace {

bool padded(const Geometry& g) { return g.padding != Padding{}; }

int variants(const Geometry& g, Pass) { return padded(g) && g.h >= g.dilated_kh && g.w >= g.dilated_kw ? 1 : 0; }

std::int64_t windows(std::int64_t in, std::int64_t dilated_kernel, std::int64_t stride) {
  return (in - dilated_kernel) / stride + 1;
}

/// As if x had no padding: fewer windows, the first one at x[0,0].
std::optional<Indices> unpadded(const Geometry& g, Pass, const Term& term, int) {
  if (term.i >= windows(g.h, g.dilated_kh, g.stride_h) || term.j >= windows(g.w, g.dilated_kw, g.stride_w)) return {};
  Indices at = indices(g, term);
  at.row += g.padding.top;
  at.col += g.padding.left;
  return at;
}

}  // namespace

extern const Mistake padding_forgotten = {
    .name = "padding_forgotten",
    .title = "Padding forgotten",
    .sentence =
        "The padding was ignored: the first window starts at the first cell of x, and windows that need padding are "
        "missing.",
    .lesson = "padding.2",
    .variants = variants,
    .indices = unpadded,
};

}  // namespace conv2d::mistakes
