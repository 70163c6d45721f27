#include <emscripten/emscripten.h>

#include "open_sessions.hpp"

/// Gradient descent, as plain exports: Embind would add twice the size of these functions to the download. They return
/// the ErrorCode; invalid_argument for an unknown session or slot.

using conv2d::bindings::is_open;
using conv2d::session::kSlotCount;
using conv2d::session::Session;
using conv2d::session::Slot;

namespace {

constexpr int kInvalidArgument = static_cast<int>(conv2d::ErrorCode::invalid_argument);

}  // namespace

/// Session::sgd_step.
extern "C" EMSCRIPTEN_KEEPALIVE int conv2d_sgd_step(Session* session, unsigned parameter, unsigned gradient,
                                                    double rate) {
  if (parameter >= kSlotCount || gradient >= kSlotCount || !is_open(session)) return kInvalidArgument;
  return static_cast<int>(session->sgd_step(static_cast<Slot>(parameter), static_cast<Slot>(gradient), rate).code);
}

/// Session::power_iteration_step.
extern "C" EMSCRIPTEN_KEEPALIVE int conv2d_power_iteration_step(Session* session, bool of_x, double rate) {
  if (!is_open(session)) return kInvalidArgument;
  return static_cast<int>(session->power_iteration_step(of_x, rate).code);
}
