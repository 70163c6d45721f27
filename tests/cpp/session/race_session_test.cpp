#include "session/race_session.hpp"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <limits>
#include <vector>

#include "session/fixture.hpp"
#include "session/values.hpp"
#include "support/environment.hpp"
#include "support/matchers.hpp"
#include "support/random_problem.hpp"
#include "support/run.hpp"

using namespace conv2d;
using namespace conv2d::session;
using namespace conv2d::test;

TEST_CASE("a race has its numbers from the sizes alone, and expects what the definition says", "[session][race]") {
  Rng rng(property_seed());
  RaceSession held;
  for (int turn = 0; turn < 30; ++turn) {
    const RandomProblem problem = random_real_problem(rng);
    CAPTURE(turn, conv2d::test::to_string(problem.desc));
    const Prepared prepared = held.set_problem(problem.desc);
    REQUIRE(prepared.status.ok());
    TensorValues t;
    std::uint32_t seed = 0;
    for (const auto& [slot, values] : {std::pair{RaceSlot::x, &t.x}, std::pair{RaceSlot::w, &t.w},
                                       std::pair{RaceSlot::b, &t.b}, std::pair{RaceSlot::dy, &t.dy}}) {
      values->resize(held.span(slot).size());
      random_reals(++seed, *values);
      CHECK(copy(held.span(slot)) == *values);
    }
    const Sizes& s = problem.sizes;
    CHECK(prepared.x_floats == s.x_size);
    CHECK(prepared.w_floats == s.w_size);
    CHECK(prepared.y_floats == s.y_size);
    const ConvDesc& d = problem.desc;
    CHECK(prepared.macs == s.y_size * d.kh * d.kw * s.group_c);
    CHECK(prepared.x_col_floats == d.n * s.oh * s.ow * d.kh * d.kw * d.c);
    const Oracle right = oracle(d, s, t);
    for (const Pass pass : kPasses) {
      REQUIRE(held.expect(pass).ok());
      CHECK_THAT(held.span(RaceSlot::expected), WithinBound(right.of(pass), 0));
      REQUIRE(held.loops(pass, race::Order::formula).ok());
      CHECK(held.judge().error < 1e-4);
    }
  }
}

TEST_CASE("a result is judged by how far it is off, for the largest that is expected", "[session][race]") {
  RaceSession held;
  REQUIRE(held.set_problem({.h = 6, .w = 5, .c = 3, .k = 4, .kh = 3, .kw = 3}).status.ok());
  REQUIRE(held.expect(Pass::forward).ok());
  const std::vector<float> expected = copy(held.span(RaceSlot::expected));
  CHECK(held.judge().error == std::numeric_limits<double>::infinity());  // nothing was made
  REQUIRE(held.reserve_made(static_cast<std::int64_t>(expected.size())).ok());
  const std::span<float> made = held.span(RaceSlot::made);
  std::ranges::copy(expected, made.begin());
  CHECK(held.judge().error == 0);
  CHECK(held.judge().plain);
  double largest = 0;
  for (const float value : expected) largest = std::max(largest, std::fabs(static_cast<double>(value)));
  made[7] += 0.5F;
  CHECK(held.judge().error == std::fabs(static_cast<double>(made[7]) - expected[7]) / largest);
  made[7] = std::numeric_limits<float>::quiet_NaN();
  CHECK(held.judge().error == std::numeric_limits<double>::infinity());
  REQUIRE(held.reserve_made(static_cast<std::int64_t>(expected.size()) + 1).ok());
  CHECK(held.judge().error == std::numeric_limits<double>::infinity());
  held.span(RaceSlot::expected)[2] = 1e-40F;
  CHECK(!held.judge().plain);
}

TEST_CASE("a race without a problem, or with a wrong one, is refused", "[session][race]") {
  RaceSession held;
  CHECK(held.expect(Pass::forward).field == "desc");
  CHECK(held.loops(Pass::forward, race::Order::formula).field == "desc");
  CHECK(held.set_problem({.h = 2, .w = 2, .kh = 3}).status.code == ErrorCode::kernel_too_large);
  CHECK(held.reserve_made(-1).code == ErrorCode::invalid_argument);
  CHECK(held.reserve_stream(std::int64_t{1} << 62).code == ErrorCode::out_of_memory);
  REQUIRE(held.reserve_stream(100).ok());
  held.stream();
}
