#include <emscripten/bind.h>

#include "session/gradient_table.hpp"
#include "shared/conversions.hpp"

/// What the gradient checks of one convolution and of a chain share.

EMSCRIPTEN_BINDINGS(conv2d_checks) {
  using namespace conv2d;
  using namespace conv2d::bindings;
  using namespace conv2d::session;
  emscripten::register_type<CheckCells>("Int32Array");
  emscripten::register_type<CheckTable>("Float64Array");
  emscripten::enum_<Parameter>("Parameter").value("x", Parameter::x).value("w", Parameter::w).value("b", Parameter::b);
  emscripten::value_object<CheckSummary> summary("CheckSummary");
  field<&CheckSummary::status>(summary, "status");
  field<&CheckSummary::cells>(summary, "cells");
  field<&CheckSummary::verdict>(summary, "verdict");
  field<&CheckSummary::max_absolute_error>(summary, "max_absolute_error");
  field<&CheckSummary::max_relative_error>(summary, "max_relative_error");
}
