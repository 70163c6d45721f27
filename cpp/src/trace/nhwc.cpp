#include "trace/nhwc.hpp"

#include <algorithm>

#include "transforms/layout_change.hpp"

namespace conv2d::trace {

bool Nhwc::set_activation(const Geometry& g, const float* tensor, std::int64_t channels, std::int64_t pixels) noexcept {
  data_ = tensor;
  if (g.layout == Layout::nhwc) return true;
  if (!copy_.allocate(g.n * channels * pixels)) return false;
  activation_nchw_to_nhwc(tensor, g.n, channels, pixels, copy_.span().data());
  data_ = copy_.span().data();
  return true;
}

bool Nhwc::set_weights(const Geometry& g, const float* tensor) noexcept {
  data_ = tensor;
  if (g.weights_layout == WeightsLayout::hwio) return true;
  if (!copy_.allocate(g.w_size)) return false;
  weights_to_hwio(g, tensor, copy_.span().data());
  data_ = copy_.span().data();
  return true;
}

bool NhwcDx::begin(const Geometry& g, float* dx) noexcept {
  data_ = dx;
  if (g.layout == Layout::nchw) {
    if (!copy_.allocate(g.x_size)) return false;
    data_ = copy_.span().data();
  }
  std::fill_n(data_, g.x_size, 0.0F);
  return true;
}

void NhwcDx::end(const Geometry& g, float* dx) noexcept {
  if (g.layout == Layout::nchw) activation_nhwc_to_nchw(data_, g.n, g.c, g.h * g.w, dx);
}

}  // namespace conv2d::trace
