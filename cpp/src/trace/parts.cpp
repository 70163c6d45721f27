#include "trace/parts.hpp"

#include "transforms/layout_change.hpp"

namespace conv2d::trace {

Status check_steps(std::string_view field, std::int64_t steps, std::int64_t total) {
  if (steps >= 0 && steps <= total) return {};
  return {ErrorCode::invalid_argument, field, text(field, " is ", steps, ", but must be from 0 to ", total)};
}

Status out_of_memory(std::string_view field) {
  return {ErrorCode::out_of_memory, field, text(field, " cannot be computed: not enough memory")};
}

Status run_by_name(const Geometry& g, Pass pass, std::string_view algorithm, const Tensors& tensors) {
  const Result<Plan> planned = plan(g, pass, {.algorithm = algorithm});
  if (!planned.ok()) return planned.status();
  Scratch<float> workspace;
  if (!workspace.allocate(planned->workspace_floats())) return out_of_memory("workspace");
  return run(*planned, tensors, {.workspace = workspace.span()});
}

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
