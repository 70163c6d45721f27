#pragma once

#include <algorithm>
#include <span>
#include <vector>

#include "session/session.hpp"
#include "support/oracle.hpp"

namespace conv2d::test {

/// Writes a tensor as the page does: reserve first, then copy the values.
inline void put(session::Session& session, session::Slot slot, const std::vector<float>& values) {
  (void)session.reserve(slot, static_cast<std::int64_t>(values.size()));
  std::ranges::copy(values, session.writable(slot).begin());
}

inline void put(session::Session& session, const TensorValues& t) {
  put(session, session::Slot::x, t.x);
  put(session, session::Slot::w, t.w);
  put(session, session::Slot::b, t.b);
  put(session, session::Slot::dy, t.dy);
}

inline std::vector<float> copy(std::span<const float> values) { return {values.begin(), values.end()}; }

}  // namespace conv2d::test
