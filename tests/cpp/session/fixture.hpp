#pragma once

#include <algorithm>
#include <span>
#include <vector>

#include "session/session.hpp"
#include "support/oracle.hpp"

namespace conv2d::test {

/// A problem of one convolution: a chain of one.
inline Status set_one(session::Session& session, const ConvDesc& d, std::string_view loss = "linear") {
  const LayerDesc layer{.windows = d};
  return session.set_problem({.layout = d.layout, .n = d.n, .h = d.h, .w = d.w, .c = d.c}, {&layer, 1}, loss);
}

inline session::TensorId of(session::Slot slot, std::int64_t layer = 0) { return {layer, slot}; }

inline Status run_step(session::Session& session, Pass pass, std::int64_t layer = 0) {
  return session.run({layer, session::operation_of(pass)}, {});
}

/// Writes a tensor as the page does: reserve first, then copy the values.
inline void put(session::Session& session, session::TensorId id, const std::vector<float>& values) {
  const Status status = session.reserve(id, static_cast<std::int64_t>(values.size()));
  if (status.ok()) std::ranges::copy(values, session.writable(id).begin());
}
inline void put(session::Session& session, session::Slot slot, const std::vector<float>& values) {
  put(session, of(slot), values);
}

inline void put(session::Session& session, const TensorValues& t) {
  put(session, session::Slot::x, t.x);
  put(session, session::Slot::w, t.w);
  put(session, session::Slot::b, t.b);
  put(session, session::Slot::dy, t.dy);
}

inline std::vector<float> copy(std::span<const float> values) { return {values.begin(), values.end()}; }

}  // namespace conv2d::test
