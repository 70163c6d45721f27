#include "layers/elementwise.hpp"

#include <cmath>
#include <cstddef>

namespace conv2d::layers {

Result<Geometry> resolve_elementwise(const ConvDesc& x, const LayerOptions&) noexcept {
  return resolve({.layout = x.layout, .n = x.n, .h = x.h, .w = x.w, .c = x.c, .k = x.c, .groups = x.c});
}

Bend bend_at_zero(const LayerInfo&, const Step& step) noexcept {
  for (std::size_t t = 0; t < step.at.x.size(); ++t) {
    const double below = step.below.x[t], at = step.at.x[t], above = step.above.x[t];
    if (step.reach[t] == 0 || (below == at && above == at)) continue;
    const double distance = std::abs(at);
    const bool stays = (below > 0) == (above > 0) && (at > 0) == (above > 0);
    if (stays && distance > step.precision * step.magnitudes[t]) continue;
    return {
        .cell = static_cast<std::int64_t>(t), .is_at_value = distance <= kEqual * step.magnitudes[t], .is_near = stays};
  }
  return {};
}

}  // namespace conv2d::layers
