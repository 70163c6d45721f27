#include "session/race_session.hpp"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <limits>
#include <vector>

#include "session/buffer.hpp"
#include "session/fixture.hpp"
#include "support/environment.hpp"
#include "support/matchers.hpp"
#include "support/random_problem.hpp"
#include "support/run.hpp"

using namespace conv2d;
using namespace conv2d::session;
using namespace conv2d::test;

TEST_CASE("a race derives its numbers from the sizes alone, and its expected results from the definition",
          "[session][race]") {
  Rng rng(property_seed());
  RaceSession session;
  for (int turn = 0; turn < 30; ++turn) {
    const RandomProblem problem = random_real_problem(rng);
    CAPTURE(turn, conv2d::test::to_string(problem.desc));
    const ProblemSizes prepared = session.set_problem(problem.desc);
    REQUIRE(prepared.status.ok());
    TensorValues t;
    std::uint32_t seed = 0;
    for (const auto& [slot, values] : {std::pair{RaceSlot::x, &t.x}, std::pair{RaceSlot::w, &t.w},
                                       std::pair{RaceSlot::b, &t.b}, std::pair{RaceSlot::dy, &t.dy}}) {
      values->resize(session.span(slot).size());
      random_reals(++seed, *values);
      CHECK(copy(session.span(slot)) == *values);
    }
    const Sizes& s = problem.sizes;
    CHECK(prepared.x_floats == s.x_size);
    CHECK(prepared.w_floats == s.w_size);
    CHECK(prepared.y_floats == s.y_size);
    const ConvDesc& d = problem.desc;
    CHECK(prepared.macs == s.y_size * d.kh * d.kw * s.group_c);
    const Oracle right = oracle(d, s, t);
    for (const Pass pass : kPasses) {
      REQUIRE(session.compute_expected(pass).ok());
      CHECK_THAT(session.span(RaceSlot::expected), WithinBound(right.of(pass), 0));
      REQUIRE(session.loops(pass, race::Order::formula).ok());
      CHECK(session.verify().error < 1e-4);
    }
  }
}

TEST_CASE("a result is rated by its error relative to the largest expected value", "[session][race]") {
  RaceSession session;
  REQUIRE(session.set_problem({.h = 6, .w = 5, .c = 3, .k = 4, .kh = 3, .kw = 3}).status.ok());
  REQUIRE(session.compute_expected(Pass::forward).ok());
  const std::vector<float> expected = copy(session.span(RaceSlot::expected));
  CHECK(session.verify().error == std::numeric_limits<double>::infinity());  // no result was written
  REQUIRE(session.reserve_actual(static_cast<std::int64_t>(expected.size())).ok());
  const std::span<float> made = session.span(RaceSlot::actual);
  std::ranges::copy(expected, made.begin());
  CHECK(session.verify().error == 0);
  // With subnormal values some processors are 100 times slower.
  const auto is_subnormal = [](float value) { return std::fpclassify(value) == FP_SUBNORMAL; };
  CHECK(std::ranges::none_of(expected, is_subnormal));
  double largest = 0;
  for (const float value : expected) largest = std::max(largest, std::fabs(static_cast<double>(value)));
  made[7] += 0.5F;
  CHECK(session.verify().error == std::fabs(static_cast<double>(made[7]) - expected[7]) / largest);
  made[7] = std::numeric_limits<float>::quiet_NaN();
  CHECK(session.verify().error == std::numeric_limits<double>::infinity());
  REQUIRE(session.reserve_actual(static_cast<std::int64_t>(expected.size()) + 1).ok());
  CHECK(session.verify().error == std::numeric_limits<double>::infinity());
}

TEST_CASE("a race without a problem, or with an invalid one, is refused", "[session][race]") {
  RaceSession session;
  CHECK(session.compute_expected(Pass::forward).field == "desc");
  CHECK(session.loops(Pass::forward, race::Order::formula).field == "desc");
  CHECK(session.set_problem({.h = 2, .w = 2, .kh = 3}).status.code == ErrorCode::kernel_too_large);
  CHECK(session.reserve_actual(-1).code == ErrorCode::invalid_argument);
  CHECK(session.reserve_stream(std::int64_t{1} << 62).code == ErrorCode::out_of_memory);
  REQUIRE(session.reserve_stream(100).ok());
  session.stream();
}
