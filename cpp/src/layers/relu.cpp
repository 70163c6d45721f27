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

Status forward(const Prepared& layer, const Run<float>& r, const Resources&) noexcept {
  layer.kernels->relu(r.x.data(), std::ssize(r.x), r.y.data());
  return {};
}

Status backward(const Prepared& layer, const Run<float>& r, const Resources&) noexcept {
  if (!r.dx.empty()) layer.kernels->relu_gate(r.x.data(), r.dy.data(), std::ssize(r.x), r.dx.data());
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

template <class T>
std::int64_t kink(const Run<T>& a, const Run<T>& b) noexcept {
  for (std::size_t t = 0; t < a.x.size(); ++t) {
    if ((a.x[t] > 0) != (b.x[t] > 0)) return static_cast<std::int64_t>(t);
  }
  return -1;
}

}  // namespace

extern constexpr Entry kRelu{.kind = LayerKind::relu,
                             .name = "relu",
                             .verdict_at_kink = GradientVerdict::at_kink,
                             .complete = complete,
                             .forward = forward,
                             .backward = backward,
                             .reference_float = {reference_forward<float>, reference_backward<float>, kink<float>},
                             .reference_double = {reference_forward<double>, reference_backward<double>, kink<double>}};

}  // namespace conv2d::layers
