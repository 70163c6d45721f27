#include "mistakes/mistake.hpp"

namespace conv2d::mistakes {
namespace {

/// Variant 0: taps on padding are steps, too. Variant 1: they are skipped.
int variants(const Geometry&, Pass) { return 2; }

std::optional<Indices> skip_padding(const Geometry& g, Pass pass, const Term& term, int variant) {
  const Indices at = indices(g, term);
  if (variant == 1 && pass != Pass::backward_bias && !in_x(g, at)) return {};
  return at;
}

}  // namespace

extern const Mistake assigned = {
    .name = "assigned",
    .title = "= instead of +=",
    .sentence = "Each step overwrote the sum of the previous steps: = instead of +=. Only the last step remains.",
    .lesson = "col2im.3",
    .variants = variants,
    .indices = skip_padding,
    .adding = Adding::last_step,
};

}  // namespace conv2d::mistakes
