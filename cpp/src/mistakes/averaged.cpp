#include "mistakes/mistake.hpp"

namespace conv2d::mistakes {
namespace {

/// By what was added, by all that could have been, and, where images add up too, by the windows of one of them.
int ways(const Geometry& g, Pass pass) {
  return g.n > 1 && (pass == Pass::backward_weights || pass == Pass::backward_bias) ? 3 : 2;
}

std::optional<Places> without_padding(const Geometry& g, Pass pass, const Term& term, int way) {
  const Places there = places(g, term);
  if (way == 0 && pass != Pass::backward_bias && !in_x(g, there)) return {};
  return there;
}

double divisor(const Geometry& g, Pass pass, std::int64_t steps, int way) {
  const std::int64_t channels = pass == Pass::forward ? g.group_c : 1;
  if (way == 0) return static_cast<double>(steps * channels);
  if (pass == Pass::forward || pass == Pass::backward_data) return static_cast<double>(g.kh * g.kw * channels);
  return static_cast<double>((way == 1 ? g.n : 1) * g.oh * g.ow);
}

}  // namespace

extern const Mistake averaged = {
    .name = "averaged",
    .title = "Averaged, not added",
    .sentence = "The contributions were averaged, not added. Who is used twice is responsible twice.",
    .lesson = "col2im.2",
    .ways = ways,
    .places = without_padding,
    .divisor = divisor,
};

}  // namespace conv2d::mistakes
