#pragma once

#include <algorithm>
#include <span>
#include <vector>

#include "session/session.hpp"
#include "support/oracle.hpp"

namespace conv2d::test {

/// Writes a tensor as a page does: room first, then the values.
inline void put(session::Session& held, session::Slot slot, const std::vector<float>& values) {
  (void)held.reserve(slot, static_cast<std::int64_t>(values.size()));
  std::ranges::copy(values, held.writable(slot).begin());
}

inline void put(session::Session& held, const TensorValues& t) {
  put(held, session::Slot::x, t.x);
  put(held, session::Slot::w, t.w);
  put(held, session::Slot::b, t.b);
  put(held, session::Slot::dy, t.dy);
}

inline std::vector<float> copy(std::span<const float> values) { return {values.begin(), values.end()}; }

}  // namespace conv2d::test
