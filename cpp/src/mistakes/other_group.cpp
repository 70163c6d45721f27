#include "mistakes/mistake.hpp"

namespace conv2d::mistakes {
namespace {

/// Variant 0: the next group. Variant 1: filter k reads group k % groups.
int variants(const Geometry& g, Pass pass) { return pass == Pass::backward_bias || g.groups == 1 ? 0 : 2; }

std::optional<Indices> other(const Geometry& g, Pass, const Term& term, int variant) {
  Indices at = indices(g, term);
  const std::int64_t group = variant == 0 ? (term.k / g.group_k + 1) % g.groups : term.k % g.groups;
  at.channel = group * g.group_c + term.c;
  return at;
}

}  // namespace

extern const Mistake other_group = {
    .name = "other_group",
    .title = "Channels of the wrong group",
    .sentence =
        "The channels of another group were used. A filter reads only the channels of its own group: the first k / "
        "groups filters read the first group, and so on.",
    .lesson = "groups.2",
    .variants = variants,
    .indices = other,
};

}  // namespace conv2d::mistakes
