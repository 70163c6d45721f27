#include <emscripten/bind.h>

#include <cmath>
#include <string>
#include <string_view>

#include "chains/layer_descs.hpp"
#include "conv2d_teach/chain.hpp"
#include "layers/layer_tables.hpp"
#include "shared/conversions.hpp"

/// Descriptions of chains, for the modules that take one.

namespace conv2d::bindings {

std::vector<LayerDesc> descs_of(const LayerDescs& layers) {
  std::vector<LayerDesc> descs(layers["length"].as<unsigned>());
  for (unsigned i = 0; i < descs.size(); ++i) {
    const emscripten::val layer = layers[i], options = layer["options"];
    const conv2d::layers::Rules* const rules = conv2d::layers::rules_of(layer["kind"].as<std::string>());
    descs[i] = {.kind = rules ? rules->name : "unknown", .windows = layer["windows"].as<ConvDesc>()};
    for (std::size_t o = 0; rules && o < rules->options.size(); ++o) {
      const std::string_view name = rules->options[o].name;
      const double value = options[name.data()].as<double>();  // names are literals; undefined is NaN
      if (!std::isnan(value)) descs[i].options[o] = {.name = name, .value = value};
    }
  }
  return descs;
}

}  // namespace conv2d::bindings

EMSCRIPTEN_BINDINGS(conv2d_layers) {
  using namespace conv2d;
  using namespace conv2d::bindings;
  using emscripten::value_object;
  emscripten::register_type<LayerDescs>(
      "readonly { readonly kind: string; readonly windows: ConvDesc; readonly options: "
      "Readonly<Record<string, number>> }[]");
  value_object<ChainDesc> input("ChainInput");
  field<&ChainDesc::layout>(input, "layout");
  field<&ChainDesc::n>(input, "n");
  field<&ChainDesc::h>(input, "h");
  field<&ChainDesc::w>(input, "w");
  field<&ChainDesc::c>(input, "c");
}
