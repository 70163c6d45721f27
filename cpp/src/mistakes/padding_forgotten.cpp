#include "mistakes/mistake.hpp"

namespace conv2d::mistakes {
namespace {

bool padded(const Geometry& g) { return g.padding != Padding{}; }

int ways(const Geometry& g, Pass) { return padded(g) && g.h >= g.dilated_kh && g.w >= g.dilated_kw ? 1 : 0; }

std::int64_t windows(std::int64_t in, std::int64_t dilated_kernel, std::int64_t stride) {
  return (in - dilated_kernel) / stride + 1;
}

/// As if x had no padding: fewer windows, the first of them in the corner of x.
std::optional<Places> unpadded(const Geometry& g, Pass, const Term& term, int) {
  if (term.i >= windows(g.h, g.dilated_kh, g.stride_h) || term.j >= windows(g.w, g.dilated_kw, g.stride_w)) return {};
  Places there = places(g, term);
  there.row += g.padding.top;
  there.col += g.padding.left;
  return there;
}

}  // namespace

extern const Mistake padding_forgotten = {
    .name = "padding_forgotten",
    .title = "Padding forgotten",
    .sentence =
        "The padding was forgotten: the windows were laid on x itself, and those that need the padding were left out.",
    .lesson = "padding.2",
    .ways = ways,
    .places = unpadded,
};

}  // namespace conv2d::mistakes
