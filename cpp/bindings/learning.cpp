#include <emscripten/emscripten.h>

#include "open_sessions.hpp"

/// Learning, as plain exports: to bind them would cost twice the bytes of what they do. They return the ErrorCode as a
/// number: invalid_argument for a handle of no open session, and for a number of no slot.

using conv2d::bindings::is_open;
using conv2d::session::kSlotCount;
using conv2d::session::Session;
using conv2d::session::Slot;

namespace {

constexpr int kRefused = static_cast<int>(conv2d::ErrorCode::invalid_argument);

}  // namespace

/// Session::descend.
extern "C" EMSCRIPTEN_KEEPALIVE int conv2d_descend(Session* session, unsigned values, unsigned slopes, double rate) {
  if (values >= kSlotCount || slopes >= kSlotCount || !is_open(session)) return kRefused;
  return static_cast<int>(session->descend(static_cast<Slot>(values), static_cast<Slot>(slopes), rate).code);
}

/// Session::power_round.
extern "C" EMSCRIPTEN_KEEPALIVE int conv2d_power_round(Session* session, bool of_x, double rate) {
  if (!is_open(session)) return kRefused;
  return static_cast<int>(session->power_round(of_x, rate).code);
}
