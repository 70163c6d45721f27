#include <emscripten/bind.h>

#include "chains/layer_descs.hpp"
#include "conv2d_teach/gradient_check.hpp"
#include "conv2d_teach/layers.hpp"
#include "session/slots.hpp"
#include "shared/conversions.hpp"

/// Descriptions of chains, for the modules that take one.

namespace conv2d::bindings {

std::vector<LayerDesc> descs_of(const LayerDescs& layers) {
  std::vector<LayerDesc> descs(layers["length"].as<unsigned>());
  for (unsigned i = 0; i < descs.size(); ++i) descs[i] = layers[i].as<LayerDesc>();
  return descs;
}

}  // namespace conv2d::bindings

EMSCRIPTEN_BINDINGS(conv2d_layers) {
  using namespace conv2d;
  using namespace conv2d::bindings;
  using emscripten::value_object;
  using session::ChainInput;
  emscripten::register_type<LayerDescs>("LayerDesc[]");
  bind_enum("Loss", kLastLoss);
  bind_enum("LayerKind", LayerKind::average_pool);
  value_object<LayerDesc> desc("LayerDesc");
  field<&LayerDesc::kind>(desc, "kind");
  field<&LayerDesc::windows>(desc, "windows");
  field<&LayerDesc::count_include_pad>(desc, "count_include_pad");
  value_object<ChainInput> input("ChainInput");
  field<&ChainInput::layout>(input, "layout");
  field<&ChainInput::n>(input, "n");
  field<&ChainInput::h>(input, "h");
  field<&ChainInput::w>(input, "w");
  field<&ChainInput::c>(input, "c");
}
