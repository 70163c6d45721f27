#include <emscripten/emscripten.h>

#include <span>

#include "conv2d/learning.hpp"
#include "session.hpp"

/// Learning, as plain exports: to bind them would cost twice the bytes of what they do.

using conv2d::bindings::Session;
using conv2d::bindings::Slot;

/// values -= rate * slopes, of two slots. Returns the ErrorCode as a number.
extern "C" EMSCRIPTEN_KEEPALIVE int conv2d_descend(Session* session, int values, int slopes, double rate) {
  const std::span<float> learnt = session->writable(static_cast<Slot>(values));
  return static_cast<int>(conv2d::descend(learnt, session->span(static_cast<Slot>(slopes)), rate).code);
}

/// A round of the power iteration: in x, or else in w and b. Writes the curvature, and the largest rate and the factor
/// at `rate`, into Slot::result, which has room for them.
extern "C" EMSCRIPTEN_KEEPALIVE void conv2d_power_round(Session* session, bool of_x, double rate) {
  const std::span<float> values = session->writable(of_x ? Slot::x : Slot::w);
  const std::span<float> slopes = session->span(of_x ? Slot::dx : Slot::dw);
  const std::span<float> bias = of_x ? std::span<float>{} : session->span(Slot::b);
  const double curvature = conv2d::power_round({values, bias}, {slopes, session->span(Slot::db).first(bias.size())});
  const conv2d::Pace pace = conv2d::pace(curvature, rate);
  const std::span<float> numbers = session->span(Slot::result);
  numbers[0] = static_cast<float>(curvature);
  numbers[1] = static_cast<float>(pace.largest_rate);
  numbers[2] = static_cast<float>(pace.factor);
}
