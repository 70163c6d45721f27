#pragma once

#include <string_view>
#include <vector>

#include "session/fixture.hpp"
#include "support/matchers.hpp"

namespace conv2d::test {

inline void run_all(session::Session& session) {
  while (const auto step = session.next()) REQUIRE_THAT(session.run(*step, {}), Succeeds());
}

/// The chain of "convolution, ReLU, maximum and average by hand" in layers/chain_test.cpp.
inline const std::vector<LayerDesc> kLayers{{.windows = {.k = 1, .kh = 1, .kw = 2}},
                                            {.kind = "relu"},
                                            {.kind = "max_pool", .windows = {.kh = 2, .stride_h = 2}},
                                            {.kind = "average_pool", .windows = {.kw = 2}}};

inline session::Session by_hand(std::string_view loss = "linear") {
  session::Session session;
  REQUIRE_THAT(session.set_problem({.h = 2, .w = 3}, kLayers, loss), Succeeds());
  put(session, session::Slot::x, {5, 3, 3, 1, 4, 2});
  put(session, session::Slot::w, {1, -1});
  put(session, session::Slot::b, {-1});
  put(session, of(session::Slot::dy, 3), {8});
  return session;
}

}  // namespace conv2d::test
