#include <emscripten/bind.h>

#include "chains/layer_descs.hpp"
#include "session/gradient_check_session.hpp"
#include "shared/conversions.hpp"

/// The gradient check, for the module "mistakes".

namespace {

using namespace conv2d::bindings;
using namespace conv2d::session;

EMSCRIPTEN_DECLARE_VAL_TYPE(CheckCells);
EMSCRIPTEN_DECLARE_VAL_TYPE(CheckTable);

GradientCheckSession& at(Handle handle) { return session_at<GradientCheckSession>(handle); }

conv2d::Status set_problem(Handle handle, const conv2d::ChainDesc& input, const LayerDescs& layers) {
  return at(handle).set_problem(input, descs_of(layers));
}
Float32View view(Handle handle, double layer, CheckSlot slot) {
  return view_of<Float32View>(at(handle).span(to_count(layer), slot));
}
CheckCells cells(Handle handle) { return view_of<CheckCells>(at(handle).cells()); }
CheckTable table(Handle handle) { return view_of<CheckTable>(at(handle).table()); }

}  // namespace

EMSCRIPTEN_BINDINGS(conv2d_gradient_check) {
  using namespace conv2d;
  emscripten::register_type<CheckCells>("Int32Array");
  emscripten::register_type<CheckTable>("Float64Array");
  emscripten::enum_<Parameter>("Parameter").value("x", Parameter::x).value("w", Parameter::w).value("b", Parameter::b);
  bind_enum("CheckSlot", CheckSlot::b);
  emscripten::value_object<CheckSummary> summary("CheckSummary");
  field<&CheckSummary::status>(summary, "status");
  field<&CheckSummary::cells>(summary, "cells");
  field<&CheckSummary::verdict>(summary, "verdict");
  field<&CheckSummary::max_absolute_error>(summary, "max_absolute_error");
  field<&CheckSummary::max_relative_error>(summary, "max_relative_error");
  emscripten::value_object<CheckOptions> options("CheckOptions");
  field<&CheckOptions::loss>(options, "loss");
  field<&CheckOptions::layer>(options, "layer");
  field<&CheckOptions::parameter>(options, "parameter");
  field<&CheckOptions::float64>(options, "float64");
  field<&CheckOptions::epsilon>(options, "epsilon");

  using emscripten::function;
  function("open_check", &open_session<GradientCheckSession>);
  function("close_check", &close_session<GradientCheckSession>);
  function("check_set_problem", &set_problem);
  function("check_reserve", &Call<&GradientCheckSession::reserve>::of);
  function("check_view", &view);
  function("check_reserve_cells", &Call<&GradientCheckSession::reserve_cells>::of);
  function("check_cells", &cells);
  function("gradient_check", &Call<&GradientCheckSession::gradient_check>::of);
  function("check_table", &table);
}
