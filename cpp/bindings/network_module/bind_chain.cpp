#include <emscripten/bind.h>
#include <emscripten/val.h>

#include <array>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "session/chain_session.hpp"
#include "session/session.hpp"
#include "shared/conversions.hpp"

/// The part of the module "network" that the main module does not have: chains of layers.

namespace {

using conv2d::Chain;
using conv2d::LayerDesc;
using conv2d::bindings::CheckCells;
using conv2d::bindings::CheckTable;
using conv2d::bindings::Float32View;
using conv2d::bindings::Handle;
using conv2d::bindings::session_at;
using conv2d::bindings::view_of;
using conv2d::session::ChainInput;
using conv2d::session::ChainSession;
using conv2d::session::ChainSlot;
using conv2d::session::Shape;
using emscripten::val;

// Named types, so that --emit-tsd writes them instead of `any`.
EMSCRIPTEN_DECLARE_VAL_TYPE(Winners);
EMSCRIPTEN_DECLARE_VAL_TYPE(LayerDescs);
EMSCRIPTEN_DECLARE_VAL_TYPE(LayerRows);

/// A layer of a chain that was set.
struct LayerRow {
  conv2d::Geometry geometry;
  Shape x_shape{}, w_shape{}, y_shape{};
  std::int64_t w_size = 0, b_size = 0;
};

struct ChainResult {
  conv2d::Status status;
  LayerRows layers = LayerRows(val::array());  ///< empty after an error
};

ChainSession& at(Handle handle) { return session_at<ChainSession>(handle); }

ChainResult set_chain(Handle handle, const ChainInput& input, const LayerDescs& layers) {
  const std::vector<LayerDesc> descs = emscripten::vecFromJSArray<LayerDesc>(layers);
  ChainResult result;
  result.status = at(handle).set_chain(input, descs);
  if (!result.status.ok()) return result;
  const Chain& chain = *at(handle).chain();
  for (std::size_t i = 0; i < chain.size(); ++i) {
    const conv2d::LayerInfo& layer = chain.layer(i);
    result.layers.call<void>("push", LayerRow{.geometry = layer.geometry,
                                              .x_shape = layer.geometry.x_shape(),
                                              .w_shape = layer.geometry.w_shape(),
                                              .y_shape = layer.geometry.y_shape(),
                                              .w_size = layer.w_size,
                                              .b_size = layer.b_size});
  }
  return result;
}

Float32View view(Handle handle, double layer, ChainSlot slot) {
  return view_of<Float32View>(at(handle).span(conv2d::bindings::to_count(layer), slot));
}
Winners winners(Handle handle, double layer) {
  return view_of<Winners>(at(handle).winners(conv2d::bindings::to_count(layer)));
}
CheckCells check_cells(Handle handle) { return view_of<CheckCells>(at(handle).check_cells()); }
CheckTable check_table(Handle handle) { return view_of<CheckTable>(at(handle).check_table()); }

}  // namespace

EMSCRIPTEN_BINDINGS(conv2d_chain) {
  using namespace conv2d;
  using namespace conv2d::bindings;
  using namespace conv2d::session;
  using emscripten::value_object;
  emscripten::register_type<Winners>("Int32Array");
  emscripten::register_type<LayerDescs>("LayerDesc[]");
  emscripten::register_type<LayerRows>("LayerRow[]");
  bind_enum("LayerKind", LayerKind::average_pool);
  bind_enum("ChainSlot", ChainSlot::db);
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
  value_object<LayerRow> row("LayerRow");
  row.field("geometry", &LayerRow::geometry);
  row.field("x_shape", &LayerRow::x_shape).field("w_shape", &LayerRow::w_shape).field("y_shape", &LayerRow::y_shape);
  count_field<&LayerRow::w_size>(row, "w_size");
  count_field<&LayerRow::b_size>(row, "b_size");
  value_object<ChainResult>("ChainResult").field("status", &ChainResult::status).field("layers", &ChainResult::layers);
  value_object<ChainAverageCell> average("ChainAverageCell");
  average.field("status", &ChainAverageCell::status).field("sum", &ChainAverageCell::sum);
  count_field<&ChainAverageCell::count>(average, "count");
  value_object<ChainCheckOptions> check("ChainCheckOptions");
  check.field("loss", &ChainCheckOptions::loss);
  count_field<&ChainCheckOptions::layer>(check, "layer");
  check.field("parameter", &ChainCheckOptions::parameter)
      .field("float64", &ChainCheckOptions::float64)
      .field("epsilon", &ChainCheckOptions::epsilon);

  using emscripten::function;
  function("open_chain", &open_session<ChainSession>);
  function("close_chain", &close_session<ChainSession>);
  function("set_chain", &set_chain);
  function("chain_reserve", &Call<&ChainSession::reserve>::of);
  function("chain_view", &view);
  function("chain_winners", &winners);
  function("chain_forward", &Call<&ChainSession::forward>::of);
  function("chain_backward", &Call<&ChainSession::backward>::of);
  function("chain_loss_dy", &Call<&ChainSession::loss_dy>::of);
  function("chain_average_cell", &Call<&ChainSession::average_cell>::of);
  function("chain_stats", &Call<&ChainSession::stats>::of);
  function("chain_norm", &Call<&ChainSession::norm>::of);
  function("chain_sgd_step", &Call<&ChainSession::sgd_step>::of);
  function("chain_reserve_check_cells", &Call<&ChainSession::reserve_check_cells>::of);
  function("chain_check_cells", &check_cells);
  function("chain_gradient_check", &Call<&ChainSession::gradient_check>::of);
  function("chain_check_table", &check_table);
}
