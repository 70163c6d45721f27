#include <cstddef>

#include "layers/elementwise.hpp"

namespace conv2d::layers {
namespace {

constexpr LayerOptionRule kOptions[]{{.name = "alpha", .initial = 0.01, .lowest = 0, .most = 1}};

/// to = of where x is above 0, else alpha * of.
template <class T>
void scale(const LayerInfo& info, std::span<const T> x, std::span<const T> of, std::span<T> to) noexcept {
  const auto alpha = static_cast<T>(info.options[0]);
  for (std::size_t t = 0; t < to.size(); ++t) to[t] = x[t] > 0 ? of[t] : alpha * of[t];
}

template <class T>
void forward(const LayerInfo& info, const Run<T>& r) {
  scale(info, r.x, r.x, r.y);
}

template <class T>
void backward(const LayerInfo& info, const Run<T>& r) {
  scale(info, r.x, r.dy, r.dx);
}

Bend bend(const LayerInfo& info, const Step& step) noexcept {
  return info.options[0] == 1 ? Bend{} : bend_at_zero(info, step);
}

}  // namespace

/// y = x where x > 0, else alpha * x; dx = dy where x > 0, else alpha * dy, also for NaN: all as in PyTorch.
constexpr Rules LeakyRelu::kRules{.name = "leaky_relu",
                                  .options = kOptions,
                                  .bends = true,
                                  .backward_data = {.x = true, .dy = true},
                                  .resolve = resolve_elementwise};
constexpr Checks LeakyRelu::kChecks{.verdict_at_kink = GradientVerdict::at_kink,
                                    .bend = bend,
                                    .reference_float = {forward<float>, backward<float>},
                                    .reference_double = {forward<double>, backward<double>}};
constexpr Runner LeakyRelu::kRunner{
    .forward = [](const Prepared& layer, const Run<float>& r) noexcept { forward(layer.info, r); },
    .backward = [](const Prepared& layer, const Run<float>& r) noexcept { backward(layer.info, r); }};

}  // namespace conv2d::layers
