#include "base/errors.hpp"
#include "conv2d_teach/chain.hpp"
#include "layers/layer_tables.hpp"

namespace conv2d {
namespace {

Status check_input(const ChainDesc& desc) {
  struct Size {
    std::string_view field, what;
    std::int64_t value, least;
  };
  // The padding of a convolution can be all of its x.
  const layers::Rules* const first = desc.layers.empty() ? nullptr : layers::rules_of(desc.layers.front().kind);
  const bool may_be_empty = first && first->has_weights && !first->is_transposed;
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

/// Writes the values of all options of a layer.
Status read_options(const LayerDesc& desc, std::span<const LayerOptionRule> rules, LayerOptions& values) {
  for (std::size_t o = 0; o < rules.size(); ++o) values[o] = rules[o].initial;
  for (const LayerOption& given : desc.options) {
    if (given.name.empty()) continue;
    std::size_t o = 0;
    while (o < rules.size() && rules[o].name != given.name) ++o;
    if (o == rules.size() || !(given.value >= rules[o].lowest && given.value <= rules[o].most)) {
      return {ErrorCode::invalid_argument, "options", "an option has another name, or is outside its range"};
    }
    values[o] = given.value;
  }
  return {};
}

/// The layer with an x of the sizes of `windows`: n, h, w, c and layout.
Result<LayerInfo> resolve_layer(const LayerDesc& desc, const ConvDesc& windows) {
  const layers::Rules* const found = layers::rules_of(desc.kind);
  if (!found) return Status{ErrorCode::invalid_argument, "kind", "there is no such kind"};
  const layers::Rules& rules = *found;
  LayerOptions options{};
  if (Status status = read_options(desc, rules.options, options); !status.ok()) return status;
  const Result<Geometry> resolved = rules.resolve(windows, options);
  if (!resolved.ok()) return resolved.status();
  const Geometry& g = *resolved;
  const bool swaps = rules.is_transposed;
  const std::int64_t channels = swaps ? g.c : g.k;
  return LayerInfo{.kind = rules.name,
                   .options = options,
                   .geometry = g,
                   .is_transposed = swaps,
                   .x_shape = swaps ? g.y_shape() : g.x_shape(),
                   .y_shape = swaps ? g.x_shape() : g.y_shape(),
                   .x_size = swaps ? g.y_size : g.x_size,
                   .y_size = swaps ? g.x_size : g.y_size,
                   .channels = channels,
                   .w_size = rules.has_weights ? g.w_size : 0,
                   .b_size = rules.has_weights ? channels : 0,
                   .winners_size = rules.has_winners ? g.y_size : 0,
                   .workspace_floats = rules.workspace_floats ? rules.workspace_floats(g) : 0};
}

}  // namespace

Result<std::vector<LayerInfo>> resolve_chain(const ChainDesc& desc) {
  if (Status status = check_input(desc); !status.ok()) return status;
  std::vector<LayerInfo> resolved(desc.layers.size());
  ConvDesc input{.layout = desc.layout, .n = desc.n, .h = desc.h, .w = desc.w, .c = desc.c};
  for (std::size_t i = 0; i < desc.layers.size(); ++i) {
    const LayerDesc& layer = desc.layers[i];
    ConvDesc windows = layer.windows;
    windows.layout = input.layout;
    windows.n = input.n;
    windows.h = input.h;
    windows.w = input.w;
    windows.c = input.c;
    const Result<LayerInfo> info = resolve_layer(layer, windows);
    if (!info.ok()) return layers::in_layer(i, layer.kind, info.status());
    resolved[i] = *info;
    const std::size_t row = desc.layout == Layout::nhwc ? 1 : 2;
    input.h = info->y_shape[row];
    input.w = info->y_shape[row + 1];
    input.c = info->channels;
  }
  return resolved;
}

}  // namespace conv2d
