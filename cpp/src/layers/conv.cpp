#include "conv2d/reference.hpp"
#include "layers/layer_tables.hpp"

namespace conv2d::layers {
namespace {

Result<Geometry> resolve(const ConvDesc& windows, const LayerOptions&) noexcept { return conv2d::resolve(windows); }

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

constexpr Rules Conv::kRules{
    .name = "conv", .has_weights = true, .backward_data = {.w = true, .dy = true}, .resolve = resolve};
constexpr Checks Conv::kChecks{.reference_float = {reference_forward<float>, reference_backward<float>},
                               .reference_double = {reference_forward<double>, reference_backward<double>}};
constexpr Runner Conv::kRunner{.plan = plan, .run = run};

}  // namespace conv2d::layers
