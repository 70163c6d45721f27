#include <cmath>
#include <cstddef>

#include "layers/entry.hpp"

namespace conv2d::layers {
namespace {

Status complete(ConvDesc& windows) noexcept {
  windows = {.layout = windows.layout,
             .n = windows.n,
             .h = windows.h,
             .w = windows.w,
             .c = windows.c,
             .k = windows.c,
             .groups = windows.c};
  return {};
}

Status run(const Prepared& layer, Pass pass, const Run<float>& r, const Resources&) noexcept {
  if (pass == Pass::forward) {
    layer.kernels.relu(r.x.data(), std::ssize(r.x), r.y.data());
  } else {
    layer.kernels.relu_gate(r.x.data(), r.dy.data(), std::ssize(r.x), r.dx.data());
  }
  return {};
}

template <class T>
void reference_forward(const LayerInfo&, const Run<T>& r) {
  for (std::size_t t = 0; t < r.x.size(); ++t) r.y[t] = r.x[t] <= 0 ? T(0) : r.x[t];
}

template <class T>
void reference_backward(const LayerInfo&, const Run<T>& r) {
  for (std::size_t t = 0; t < r.dx.size(); ++t) r.dx[t] = r.x[t] <= 0 ? T(0) : r.dy[t];
}

Bend bend(const LayerInfo&, const Step& step) noexcept {
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

}  // namespace

extern constexpr Rules kRelu{.kind = LayerKind::relu,
                             .name = "relu",
                             .bends = true,
                             .backward_data = {.x = true, .dy = true},
                             .complete = complete};
extern constexpr Checks kReluChecks{.verdict_at_kink = GradientVerdict::at_kink,
                                    .bend = bend,
                                    .reference_float = {reference_forward<float>, reference_backward<float>},
                                    .reference_double = {reference_forward<double>, reference_backward<double>}};
extern constexpr Runner kReluRunner{.run = run};

}  // namespace conv2d::layers
