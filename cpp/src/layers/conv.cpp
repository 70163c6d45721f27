#include <algorithm>

#include "conv2d/reference.hpp"
#include "layers/entry.hpp"

namespace conv2d::layers {
namespace {

constexpr Pass kPasses[] = {Pass::forward, Pass::backward_data, Pass::backward_weights, Pass::backward_bias};

const Plan& plan_of(const Prepared& layer, Pass pass) noexcept { return *layer.plans[static_cast<std::size_t>(pass)]; }

Status complete(ConvDesc&) noexcept { return {}; }

Status prepare(Prepared& layer, const PlanOptions& options) {
  for (const Pass pass : kPasses) {
    const Result<Plan> planned = plan(layer.info.geometry, pass, options);
    if (!planned.ok()) return planned.status();
    layer.plans[static_cast<std::size_t>(pass)] = *planned;
    layer.info.workspace_floats = std::max(layer.info.workspace_floats, planned->workspace_floats());
  }
  return {};
}

Status forward(const Prepared& layer, const Run<float>& r, const Resources& resources) noexcept {
  return conv2d::forward(plan_of(layer, Pass::forward), r.x, r.w, r.b, r.y, resources);
}

Status backward(const Prepared& layer, const Run<float>& r, const Resources& resources) noexcept {
  Status status;
  if (!r.db.empty()) status = backward_bias(plan_of(layer, Pass::backward_bias), r.dy, r.db, resources);
  if (status.ok() && !r.dw.empty()) {
    status = backward_weights(plan_of(layer, Pass::backward_weights), r.x, r.dy, r.dw, resources);
  }
  if (status.ok() && !r.dx.empty()) {
    status = backward_data(plan_of(layer, Pass::backward_data), r.dy, r.w, r.dx, resources);
  }
  return status;
}

template <class T>
void reference_forward(const LayerInfo& info, const Run<T>& r) {
  reference::forward<T>(info.geometry, r.x, r.w, r.b, r.y);
}

template <class T>
void reference_backward(const LayerInfo& info, const Run<T>& r) {
  if (!r.db.empty()) reference::backward_bias<T>(info.geometry, r.dy, r.db);
  if (!r.dw.empty()) reference::backward_weights<T>(info.geometry, r.x, r.dy, r.dw);
  if (!r.dx.empty()) reference::backward_data<T>(info.geometry, r.dy, r.w, r.dx);
}

}  // namespace

extern constexpr Entry kConv{.kind = LayerKind::conv,
                             .name = "conv",
                             .has_weights = true,
                             .rounds = true,
                             .complete = complete,
                             .prepare = prepare,
                             .forward = forward,
                             .backward = backward,
                             .reference_float = {reference_forward<float>, reference_backward<float>},
                             .reference_double = {reference_forward<double>, reference_backward<double>}};

}  // namespace conv2d::layers
