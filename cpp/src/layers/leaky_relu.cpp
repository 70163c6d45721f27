#include <cstddef>

#include "layers/pointwise.hpp"

namespace conv2d::layers {
namespace {

constexpr LayerOptionRule kOptions[]{{.name = "alpha", .initial = 0.01, .lowest = 0, .most = 1}};

template <class T>
void forward(const LayerInfo& info, const Run<T>& r) {
  const auto alpha = static_cast<T>(info.options[0]);
  for (std::size_t t = 0; t < r.x.size(); ++t) r.y[t] = r.x[t] > 0 ? r.x[t] : alpha * r.x[t];
}

template <class T>
void backward(const LayerInfo& info, const Run<T>& r) {
  const auto alpha = static_cast<T>(info.options[0]);
  for (std::size_t t = 0; t < r.dx.size(); ++t) r.dx[t] = r.x[t] > 0 ? r.dy[t] : alpha * r.dy[t];
}

Status run(const Prepared& layer, Pass pass, const Run<float>& r, const Resources&) noexcept {
  (pass == Pass::forward ? forward<float> : backward<float>)(layer.info, r);
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
