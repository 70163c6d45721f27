#include <cstddef>

#include "layers/elementwise.hpp"

namespace conv2d::layers {
namespace {

void forward(const Prepared& layer, const Run<float>& r) noexcept {
  layer.kernels.relu(r.x.data(), std::ssize(r.x), r.y.data());
}

void backward(const Prepared& layer, const Run<float>& r) noexcept {
  layer.kernels.relu_gate(r.x.data(), r.dy.data(), std::ssize(r.x), r.dx.data());
}

template <class T>
void reference_forward(const LayerInfo&, const Run<T>& r) {
  for (std::size_t t = 0; t < r.x.size(); ++t) r.y[t] = r.x[t] <= 0 ? T(0) : r.x[t];
}

template <class T>
void reference_backward(const LayerInfo&, const Run<T>& r) {
  for (std::size_t t = 0; t < r.dx.size(); ++t) r.dx[t] = r.x[t] <= 0 ? T(0) : r.dy[t];
}

}  // namespace

/// y = x where x > 0 or x is NaN, else +0. dx = dy where x > 0 or x is NaN, else +0: the gradient at 0 is 0, as in
/// PyTorch.
constexpr Rules Relu::kRules{.name = "relu",
                             .clamp = Clamp{.lowest = 0},
                             .bends = true,
                             .backward_data = {.x = true, .dy = true},
                             .resolve = resolve_elementwise};
constexpr Checks Relu::kChecks{.verdict_at_kink = GradientVerdict::at_kink,
                               .bend = bend_at_zero,
                               .reference_float = {reference_forward<float>, reference_backward<float>},
                               .reference_double = {reference_forward<double>, reference_backward<double>}};
constexpr Runner Relu::kRunner{.forward = forward, .backward = backward};

}  // namespace conv2d::layers
