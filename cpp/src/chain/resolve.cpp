#include "base/errors.hpp"
#include "conv2d_teach/chain.hpp"
#include "layers/entry.hpp"

namespace conv2d {
namespace {

Status check_input(const ChainDesc& desc) {
  struct Size {
    std::string_view field, what;
    std::int64_t value, least;
  };
  // The padding of a convolution can be all of its x.
  const bool may_be_empty = !desc.layers.empty() && desc.layers.front().kind == LayerKind::conv;
  const std::int64_t side = may_be_empty ? 0 : 1;
  for (const auto& [field, what, value, least] :
       {Size{"n", "batch size", desc.n, 0}, Size{"h", "input height", desc.h, side},
        Size{"w", "input width", desc.w, side}, Size{"c", "number of input channels", desc.c, 1}}) {
    if (value >= least) continue;
    return {ErrorCode::invalid_size, field, text(what, " is ", value, ", but must be at least ", least)};
  }
  if (desc.h > 0 && desc.w > 0) {
    const Result<Geometry> input = resolve({.layout = desc.layout, .n = desc.n, .h = desc.h, .w = desc.w, .c = desc.c});
    if (!input.ok()) return input.status();
  }
  if (!desc.layers.empty() && desc.layers.size() <= kMaxLayers) return {};
  return {ErrorCode::invalid_argument, "layers",
          text("the chain has ", desc.layers.size(), " layers, but must have 1 to ", kMaxLayers)};
}

/// The layer with an x of the sizes of `windows`: n, h, w, c and layout.
Result<LayerInfo> resolve_layer(const LayerDesc& desc, ConvDesc windows) {
  const layers::Rules& rules = *layers::rules_of(desc.kind);
  if (Status status = rules.complete(windows); !status.ok()) return status;
  const Result<Geometry> geometry = resolve(windows);
  if (!geometry.ok()) return geometry.status();
  LayerDesc completed = desc;
  completed.windows = windows;
  return LayerInfo{.desc = completed,
                   .geometry = *geometry,
                   .w_size = rules.has_weights ? geometry->w_size : 0,
                   .b_size = rules.has_weights ? geometry->k : 0,
                   .winners_size = rules.has_winners ? geometry->y_size : 0,
                   .workspace_floats = rules.workspace_floats ? rules.workspace_floats(*geometry) : 0};
}

}  // namespace

Result<std::vector<LayerInfo>> resolve_chain(const ChainDesc& desc) {
  if (Status status = check_input(desc); !status.ok()) return status;
  std::vector<LayerInfo> resolved(desc.layers.size());
  ConvDesc input{.layout = desc.layout, .n = desc.n, .h = desc.h, .w = desc.w, .c = desc.c};
  for (std::size_t i = 0; i < desc.layers.size(); ++i) {
    const LayerDesc& layer = desc.layers[i];
    if (!layers::rules_of(layer.kind)) {
      return Status{ErrorCode::invalid_argument, layers::field_of(i, "kind"),
                    text("layers[", i, "].kind is ", static_cast<int>(layer.kind), ", but must be a LayerKind")};
    }
    ConvDesc windows = layer.windows;
    windows.layout = input.layout;
    windows.n = input.n;
    windows.h = input.h;
    windows.w = input.w;
    windows.c = input.c;
    const Result<LayerInfo> info = resolve_layer(layer, windows);
    if (!info.ok()) return layers::in_layer(i, layer.kind, info.status());
    resolved[i] = *info;
    input.h = info->geometry.oh;
    input.w = info->geometry.ow;
    input.c = info->geometry.k;
  }
  return resolved;
}

}  // namespace conv2d
