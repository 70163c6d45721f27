#include <cstddef>

#include "layers/pointwise.hpp"

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

Status run(const Prepared& layer, Pass pass, const Run<float>& r, const Resources&) noexcept {
  const bool is_forward = pass == Pass::forward;
  scale(layer.info, r.x, is_forward ? r.x : r.dy, is_forward ? r.y : r.dx);
  return {};
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
                                  .complete = complete_pointwise};
constexpr Checks LeakyRelu::kChecks{.verdict_at_kink = GradientVerdict::at_kink,
                                    .bend = bend,
                                    .reference_float = {forward<float>, backward<float>},
                                    .reference_double = {forward<double>, backward<double>}};
constexpr Runner LeakyRelu::kRunner{.run = run};

}  // namespace conv2d::layers
