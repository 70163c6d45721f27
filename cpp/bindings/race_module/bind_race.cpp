#include <emscripten/bind.h>
#include <emscripten/emscripten.h>

#include "session/race_session.hpp"
#include "shared/conversions.hpp"

/// The module "race", loaded when a race starts.

namespace {

using namespace conv2d::bindings;
using namespace conv2d::session;

Float32View view(Handle handle, RaceSlot slot) {
  return view_of<Float32View>(session_at<RaceSession>(handle).span(slot));
}

bool supports(const conv2d::ConvDesc& desc, conv2d::race::Order order) {
  const auto geometry = conv2d::resolve(desc);
  return geometry.ok() && conv2d::race::supports(*geometry, order);
}

}  // namespace

/// Plain exports, because a call through Embind takes longer than a small convolution.
extern "C" EMSCRIPTEN_KEEPALIVE void race_loops(RaceSession* session, int pass, int order) {
  static_cast<void>(session->loops(static_cast<conv2d::Pass>(pass), static_cast<conv2d::race::Order>(order)));
}

extern "C" EMSCRIPTEN_KEEPALIVE void race_stream(RaceSession* session) { session->stream(); }

EMSCRIPTEN_BINDINGS(conv2d_race) {
  using emscripten::value_object;
  emscripten::enum_<RaceSlot>("RaceSlot")
      .value("x", RaceSlot::x)
      .value("w", RaceSlot::w)
      .value("b", RaceSlot::b)
      .value("dy", RaceSlot::dy)
      .value("expected", RaceSlot::expected)
      .value("actual", RaceSlot::actual);
  emscripten::enum_<conv2d::race::Order>("Order")
      .value("formula", conv2d::race::Order::formula)
      .value("filters_last", conv2d::race::Order::filters_last);
  value_object<ProblemSizes> sizes("ProblemSizes");
  sizes.field("status", &ProblemSizes::status);
  count_field<&ProblemSizes::macs>(sizes, "macs");
  count_field<&ProblemSizes::x_floats>(sizes, "x_floats");
  count_field<&ProblemSizes::w_floats>(sizes, "w_floats");
  count_field<&ProblemSizes::y_floats>(sizes, "y_floats");
  value_object<VerifyResult>("VerifyResult")
      .field("status", &VerifyResult::status)
      .field("error", &VerifyResult::error);
  using emscripten::function;
  function("open_session", &open_session<RaceSession>);
  function("close_session", &close_session<RaceSession>);
  function("set_problem", &Call<&RaceSession::set_problem>::of);
  function("supports", &supports);
  function("compute_expected", &Call<&RaceSession::compute_expected>::of);
  function("reserve_actual", &Call<&RaceSession::reserve_actual>::of);
  function("view", &view);
  function("verify", &Call<&RaceSession::verify>::of);
  function("reserve_stream", &Call<&RaceSession::reserve_stream>::of);
}
