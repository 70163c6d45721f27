#include <emscripten/bind.h>

#include "chains/layer_descs.hpp"
#include "conv2d_teach/layers.hpp"
#include "session/slots.hpp"
#include "shared/conversions.hpp"

/// Descriptions of chains, for the modules that take one.

namespace conv2d::bindings {

std::vector<LayerDesc> descs_of(const LayerDescs& layers) { return emscripten::vecFromJSArray<LayerDesc>(layers); }

}  // namespace conv2d::bindings

EMSCRIPTEN_BINDINGS(conv2d_layers) {
  using namespace conv2d;
  using namespace conv2d::bindings;
  using emscripten::value_object;
  using session::ChainInput;
  emscripten::register_type<LayerDescs>("LayerDesc[]");
  bind_enum("LayerKind", LayerKind::average_pool);
  value_object<LayerDesc>("LayerDesc")
      .field("kind", &LayerDesc::kind)
      .field("windows", &LayerDesc::windows)
      .field("count_include_pad", &LayerDesc::count_include_pad);
  value_object<ChainInput> input("ChainInput");
  input.field("layout", &ChainInput::layout);
  count_field<&ChainInput::n>(input, "n");
  count_field<&ChainInput::h>(input, "h");
  count_field<&ChainInput::w>(input, "w");
  count_field<&ChainInput::c>(input, "c");
}
