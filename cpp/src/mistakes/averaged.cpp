#include "mistakes/mistake.hpp"

namespace conv2d::mistakes {
namespace {

/// Divided by the number of added terms (0), by the largest possible number (1), or by the windows of one image (2).
int variants(const Geometry& g, Pass pass) {
  return g.n > 1 && (pass == Pass::backward_weights || pass == Pass::backward_bias) ? 3 : 2;
}

std::optional<Indices> without_padding(const Geometry& g, Pass pass, const Term& term, int variant) {
  const Indices at = indices(g, term);
  if (variant == 0 && pass != Pass::backward_bias && !in_x(g, at)) return {};
  return at;
}

double divisor(const Geometry& g, Pass pass, std::int64_t steps, int variant) {
  const std::int64_t channels = pass == Pass::forward ? g.group_c : 1;
  if (variant == 0) return static_cast<double>(steps * channels);
  if (pass == Pass::forward || pass == Pass::backward_data) return static_cast<double>(g.kh * g.kw * channels);
  return static_cast<double>((variant == 1 ? g.n : 1) * g.oh * g.ow);
}

}  // namespace

extern const Mistake averaged = {
    .name = "averaged",
    .title = "Averaged instead of summed",
    .sentence = "The terms were averaged. The result is their sum, without a division.",
    .lesson = "col2im.2",
    .variants = variants,
    .indices = without_padding,
    .divisor = divisor,
};

}  // namespace conv2d::mistakes
