#include <utility>

#include "mistakes/mistake.hpp"

namespace conv2d::mistakes {
namespace {

enum class Exchanged { in_w, in_y, in_x };

bool is_square(const Geometry& g, Exchanged where) {
  switch (where) {
    case Exchanged::in_w:
      return g.kh == g.kw && g.kh > 1;
    case Exchanged::in_y:
      return g.oh == g.ow && g.oh > 1;
    case Exchanged::in_x:
      return g.h == g.w && g.h > 1;
  }
  return false;
}

constexpr Exchanged kAll[] = {Exchanged::in_w, Exchanged::in_y, Exchanged::in_x};

/// One variant for each square tensor.
int variants(const Geometry& g, Pass pass) {
  int count = 0;
  if (pass == Pass::backward_bias) return count;
  for (const Exchanged where : kAll) count += is_square(g, where) ? 1 : 0;
  return count;
}

std::optional<Indices> exchanged(const Geometry& g, Pass, const Term& term, int variant) {
  Indices at = indices(g, term);
  for (const Exchanged where : kAll) {
    if (!is_square(g, where) || variant-- != 0) continue;
    if (where == Exchanged::in_w) std::swap(at.p, at.q);
    if (where == Exchanged::in_y) std::swap(at.i, at.j);
    if (where == Exchanged::in_x) std::swap(at.row, at.col);
  }
  return at;
}

}  // namespace

extern const Mistake transposed = {
    .name = "transposed",
    .title = "Row and column exchanged",
    .sentence = "Row and column were exchanged. The row comes first: w[1,2] is the third weight of the second row.",
    .lesson = "one-window.4",
    .variants = variants,
    .indices = exchanged,
};

}  // namespace conv2d::mistakes
