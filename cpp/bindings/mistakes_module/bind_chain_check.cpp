#include <emscripten/bind.h>

#include "chains/layer_descs.hpp"
#include "session/chain_check_session.hpp"
#include "shared/conversions.hpp"

/// The gradient check of a chain, for the module "mistakes".

namespace {

using namespace conv2d::bindings;
using namespace conv2d::session;

ChainCheckSession& at(Handle handle) { return session_at<ChainCheckSession>(handle); }

conv2d::Status set_problem(Handle handle, const ChainInput& input, const LayerDescs& layers) {
  return at(handle).set_problem(input, descs_of(layers));
}
Float32View view(Handle handle, double layer, ChainCheckSlot slot) {
  return view_of<Float32View>(at(handle).span(to_count(layer), slot));
}
CheckCells check_cells(Handle handle) { return view_of<CheckCells>(at(handle).check_cells()); }
CheckTable check_table(Handle handle) { return view_of<CheckTable>(at(handle).check_table()); }

}  // namespace

EMSCRIPTEN_BINDINGS(conv2d_chain_check) {
  bind_enum("ChainCheckSlot", ChainCheckSlot::b);
  emscripten::value_object<ChainCheckOptions> check("ChainCheckOptions");
  field<&ChainCheckOptions::loss>(check, "loss");
  field<&ChainCheckOptions::layer>(check, "layer");
  field<&ChainCheckOptions::parameter>(check, "parameter");
  field<&ChainCheckOptions::float64>(check, "float64");
  field<&ChainCheckOptions::epsilon>(check, "epsilon");

  using emscripten::function;
  function("open_chain_check", &open_session<ChainCheckSession>);
  function("close_chain_check", &close_session<ChainCheckSession>);
  function("chain_set_problem", &set_problem);
  function("chain_reserve", &Call<&ChainCheckSession::reserve>::of);
  function("chain_view", &view);
  function("chain_reserve_check_cells", &Call<&ChainCheckSession::reserve_check_cells>::of);
  function("chain_check_cells", &check_cells);
  function("chain_gradient_check", &Call<&ChainCheckSession::gradient_check>::of);
  function("chain_check_table", &check_table);
}
