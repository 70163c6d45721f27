#include "algorithms/engine_passes.hpp"

#include "base/checked.hpp"
#include "base/errors.hpp"
#include "engines/plane/plane.hpp"
#include "engines/windows/passes.hpp"
#include "engines/windows/windows.hpp"
#include "engines/winograd/winograd.hpp"
#include "micro_kernels/kernel_set.hpp"

namespace conv2d::algorithm {
namespace {

/// backward_data with stride 1, which has one phase: the flipped w over dy.
engine::WindowProduct only_phase(const Geometry& g, const KernelSet& kernels) noexcept {
  return engine::phase_product(g, kernels, 0, 0);
}

std::string plane_unsupported_reason(const Geometry& g,
                                     engine::WindowProduct (*product)(const Geometry&, const KernelSet&) noexcept) {
  if (g.c != 1 || g.k != 1) return text("it supports one channel and one filter, and there are ", g.c, " and ", g.k);
  if (g.stride_w != 1) return text("its registers hold neighboring columns, which needs stride_w 1");
  // Tested with the widest registers of the architecture, so that the result is the same on all its machines.
  const KernelSet& widest = *micro_kernels::compiled_sets().front().kernels;
  if (engine::plane_copy_is_small(product(g, widest))) return {};
  return text("its copy of the padded plane would be much larger than the plane");
}

}  // namespace

std::string implicit_gemm_backward_data_unsupported_reason(const Geometry& g) {
  constexpr std::int64_t kMaxPhases = 1024;
  if ((CheckedInt(g.stride_h) * g.stride_w).value_or(kMaxPhases + 1) <= kMaxPhases) return {};
  return text("it supports at most ", kMaxPhases, " phases (stride_h x stride_w)");
}

ExecutablePointer prepare_implicit_gemm_forward(const Geometry& g, const PrepareOptions& options) {
  return prepare_windows(engine::forward_products(g, *options.kernels), engine::forward_tensors, options);
}

ExecutablePointer prepare_implicit_gemm_backward_data(const Geometry& g, const PrepareOptions& options) {
  return prepare_windows(engine::backward_data_products(g, *options.kernels), engine::backward_data_tensors, options);
}

std::string winograd_unsupported_reason(const Geometry& g) {
  if (g.kh != 3 || g.kw != 3) return text("it supports 3 x 3 kernels, and this one is ", g.kh, " x ", g.kw);
  if (g.stride_h != 1 || g.stride_w != 1) return text("its tiles overlap by 2 cells, which needs stride 1");
  if (g.dilation_h != 1 || g.dilation_w != 1) return text("its tiles have adjacent cells, which needs dilation 1");
  if (g.groups != 1) return text("it supports one group, and there are ", g.groups);
  return {};
}

double winograd_error_bound(std::int64_t channels, int outputs) noexcept {
  // Along an axis, the largest sum over the transform's rows of |A| times the row sums of |B| and |G|: 8 for m = 2, 48
  // for m = 4; squared, since there are two axes, and relative to the 9 products that it replaces.
  const double growth = outputs == 2 ? 8.0 * 8.0 / 9.0 : 48.0 * 48.0 / 9.0;
  constexpr std::int64_t kRoundingsOfTransforms = 40;
  return growth * sum_error_bound(channels + kRoundingsOfTransforms);
}

template <int kOutputs>
ExecutablePointer prepare_winograd_forward(const Geometry& g, const PrepareOptions& options) {
  return prepare_winograd(engine::forward_product(g, *options.kernels), kOutputs, engine::forward_tensors, options);
}
template <int kOutputs>
ExecutablePointer prepare_winograd_backward_data(const Geometry& g, const PrepareOptions& options) {
  return prepare_winograd(only_phase(g, *options.kernels), kOutputs, engine::backward_data_tensors, options);
}
template ExecutablePointer prepare_winograd_forward<2>(const Geometry&, const PrepareOptions&);
template ExecutablePointer prepare_winograd_forward<4>(const Geometry&, const PrepareOptions&);
template ExecutablePointer prepare_winograd_backward_data<2>(const Geometry&, const PrepareOptions&);
template ExecutablePointer prepare_winograd_backward_data<4>(const Geometry&, const PrepareOptions&);

std::string plane_forward_unsupported_reason(const Geometry& g) {
  return plane_unsupported_reason(g, engine::forward_product);
}
std::string plane_backward_data_unsupported_reason(const Geometry& g) {
  if (g.stride_h != 1) return text("it runs as a forward pass with the flipped kernel, which needs stride 1");
  return plane_unsupported_reason(g, only_phase);
}

ExecutablePointer prepare_plane_forward(const Geometry& g, const PrepareOptions& options) {
  return prepare_plane(engine::forward_product(g, *options.kernels), engine::forward_tensors, options);
}
ExecutablePointer prepare_plane_backward_data(const Geometry& g, const PrepareOptions& options) {
  return prepare_plane(only_phase(g, *options.kernels), engine::backward_data_tensors, options);
}

}  // namespace conv2d::algorithm
