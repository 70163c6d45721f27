#include "mistakes/mistake.hpp"

namespace conv2d::mistakes {
namespace {

/// The next group, or the groups taken as every so many filters.
int ways(const Geometry& g, Pass pass) { return pass == Pass::backward_bias || g.groups == 1 ? 0 : 2; }

std::optional<Places> other(const Geometry& g, Pass, const Term& term, int way) {
  Places there = places(g, term);
  const std::int64_t group = way == 0 ? (term.k / g.group_k + 1) % g.groups : term.k % g.groups;
  there.channel = group * g.group_c + term.c;
  return there;
}

}  // namespace

extern const Mistake other_group = {
    .name = "other_group",
    .title = "Channels of the wrong group",
    .sentence =
        "The channels of another group were taken. A filter sees the channels of its own group only: the first k / "
        "groups filters those of the first group, and so on.",
    .lesson = "groups.2",
    .ways = ways,
    .places = other,
};

}  // namespace conv2d::mistakes
