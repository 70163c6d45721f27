#include <emscripten/emscripten.h>

#include "session/session.hpp"

/// Learning, as plain exports: to bind them would cost twice the bytes of what they do.

using conv2d::session::Session;
using conv2d::session::Slot;

/// Session::descend; returns the ErrorCode as a number.
extern "C" EMSCRIPTEN_KEEPALIVE int conv2d_descend(Session* session, int values, int slopes, double rate) {
  return static_cast<int>(session->descend(static_cast<Slot>(values), static_cast<Slot>(slopes), rate).code);
}

/// Session::power_round.
extern "C" EMSCRIPTEN_KEEPALIVE void conv2d_power_round(Session* session, bool of_x, double rate) {
  session->power_round(of_x, rate);
}
