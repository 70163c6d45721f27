#include "mistakes/compare.hpp"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_floating_point.hpp>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "conv2d/conv2d.hpp"
#include "mistakes/diagnose.hpp"
#include "mistakes/mistake.hpp"
#include "support/environment.hpp"
#include "support/matchers.hpp"
#include "support/random_problem.hpp"
#include "support/run.hpp"

using namespace conv2d;
using namespace conv2d::mistakes;
using namespace conv2d::test;

namespace {

using Values = std::vector<float>;
using Counts = std::vector<int>;

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
constexpr float kInfinity = std::numeric_limits<float>::infinity();

struct Seen {
  ResultComparison held;
  Values difference;
};

Seen held(const Values& brought, const Values& right, const Values& magnitudes) {
  Values difference(right.size(), -7);
  ResultComparison result = compare(brought, right, magnitudes, difference).value();
  return {.held = std::move(result), .difference = std::move(difference)};
}

Inputs inputs_of(const TensorValues& t) { return {.x = t.x, .w = t.w, .b = t.b, .dy = t.dy}; }

std::vector<std::string> names(const Explanation& explanation) {
  std::vector<std::string> found;
  for (const int place : explanation.mistakes) found.emplace_back(list()[static_cast<std::size_t>(place)].name);
  return found;
}

}  // namespace

TEST_CASE("a comparison reports the differences, the worst element, and the tolerances that each element meets",
          "[mistakes]") {
  const auto [held_result, difference] = held({1, 2, 3.5, 4}, {1, 2, 3, 4}, {10, 10, 10, 10});
  CHECK(difference == Values{0, 0, 0.5F, 0});
  CHECK(held_result.worst == 2);
  CHECK(held_result.within == Counts{3, 3, 3, 3, 3, 3});
  CHECK(held({1, 2, 3, 4}, {1, 2, 3, 4}, {10, 10, 10, 10}).held.worst == -1);
  // 1e-5 of 10 exceeds float32 rounding. 1e-4 is below four decimals, which matters for small numbers only.
  CHECK(held({1, 2.0001F}, {1, 2}, {10, 10}).held.within == Counts{1, 1, 1, 1, 2, 2});
  CHECK(held({1, 2.00005F}, {1, 2}, {1, 2}).held.within == Counts{1, 2, 1, 1, 2, 2});
  CHECK(held({1, 2.02F}, {1, 2}, {1, 2}).held.within == Counts{1, 1, 1, 1, 1, 2});
}

TEST_CASE("NaN and infinities differ unless the expected value is the same", "[mistakes]") {
  const auto [result, difference] = held({kNan, 2, kInfinity}, {1, 5, kInfinity}, {10, 10, 10});
  CHECK(result.worst == 0);
  CHECK(result.not_finite == 2);
  CHECK(result.within == Counts{1, 1, 1, 1, 1, 1});
  CHECK(std::isnan(difference[0]));
  CHECK(difference[1] == -3);
  CHECK(difference[2] == 0);
  CHECK(held({kNan}, {kNan}, {kNan}).held.worst == -1);
}

TEST_CASE("a constant factor between all values is reported, and only if there is one", "[mistakes]") {
  CHECK_THAT(held({0.5F, 1, -2}, {1, 2, -4}, {10, 10, 10}).held.factor, Catch::Matchers::WithinRel(0.5, 1e-6));
  CHECK_THAT(held({-1, -2, 4}, {1, 2, -4}, {10, 10, 10}).held.factor, Catch::Matchers::WithinRel(-1.0, 1e-6));
  CHECK(held({0.5F, 1, -2.1F}, {1, 2, -4}, {10, 10, 10}).held.factor == 0);
  // The values match, or one value alone proves nothing, or all are 0.
  CHECK(held({1, 2}, {1, 2}, {10, 10}).held.factor == 0);
  CHECK(held({3, 0}, {1, 0}, {10, 10}).held.factor == 0);
  CHECK(held({0, 0}, {1, 2}, {10, 10}).held.factor == 0);
  CHECK(held({kNan, 4}, {1, 2}, {10, 10}).held.factor == 0);
}

TEST_CASE("arrays of different lengths are refused", "[mistakes]") {
  Values difference(2);
  CHECK_THAT(compare(Values{1}, Values{1, 2}, Values{1, 2}, difference),
             Fails(ErrorCode::length_mismatch, "user_result"));
  CHECK_THAT(compare(Values{1, 2}, Values{1, 2}, Values{1}, difference),
             Fails(ErrorCode::length_mismatch, "magnitudes"));
  CHECK_THAT(compare(Values{1}, Values{1}, Values{1}, difference), Fails(ErrorCode::length_mismatch, "difference"));
  const Geometry g = resolve({.n = 1, .h = 3, .w = 3, .kh = 2, .kw = 2}).value();
  const Values x(9, 1), w(4, 1);
  CHECK_THAT(explain(g, Pass::forward, {.x = x, .w = w, .b = {}, .dy = {}}, Values{1, 2}),
             Fails(ErrorCode::length_mismatch, "user_result"));
}

TEST_CASE("a gradient divided by the batch size is explained by that mistake", "[mistakes]") {
  // Two images of one row, worked out by hand: dw = (1*1 + 2*10 + 3*100) + 4*1000, (2*1 + 3*10 + 4*100) - 5*1000.
  const Geometry g = resolve({.n = 2, .w = 4, .kw = 2}).value();
  const Values x{1, 2, 3, 4, 4, -5, 6, 1}, w{1, 1}, dy{1, 10, 100, 1000, 0, 0};
  const Inputs inputs{.x = x, .w = w, .b = {}, .dy = dy};
  const auto told = [&](const Values& brought) {
    return names(explain(g, Pass::backward_weights, inputs, brought).value());
  };
  using Names = std::vector<std::string>;
  CHECK(told({4321.0F / 2, -4568.0F / 2}) == Names{"divided_by_batch"});
  CHECK(told({4321.0F / 3, -4568.0F / 3}) == Names{"averaged"});
  CHECK(told({4321, -4500}).empty());
}

TEST_CASE("results of every mistake are explained by that mistake, with or without rounding, and correct results match",
          "[mistakes]") {
  const std::span<const Mistake> known = list();
  std::vector<std::int64_t> told(known.size());
  for (std::int64_t run = 0; run < property_runs() / 8; ++run) {
    Rng rng(property_seed() + static_cast<std::uint64_t>(run));
    INFO("CONV2D_SEED=" << property_seed() + static_cast<std::uint64_t>(run));
    const RandomProblem p = random_real_problem(rng);
    const Geometry g = resolve(p.desc).value();
    const Inputs inputs = inputs_of(p.tensors);
    for (const Pass pass : kPasses) {
      // Each explanation computes 50 to 75 passes: larger problems would take minutes.
      if (g.macs() > 1 << 10 || !check_problem(g, pass, inputs).ok() || g.result_size(pass) == 0) continue;
      const Outcome ours = conv2d::test::run(plan(g, pass).value(), p.tensors);
      const std::vector<Cell> right = compute(g, pass, inputs, nullptr, 0);
      Values exact, magnitudes;
      for (const Cell& cell : right) {
        exact.push_back(static_cast<float>(cell.sum));
        magnitudes.push_back(static_cast<float>(cell.magnitude));
      }
      const auto all = static_cast<std::int64_t>(right.size());
      REQUIRE(held(exact, ours.out, magnitudes).held.within.front() == all);
      for (std::size_t i = 0; i < known.size(); ++i) {
        if (known[i].variants(g, pass) == 0) continue;
        const std::vector<Cell> wrong = compute(g, pass, inputs, &known[i], 0);
        Values brought;
        for (const Cell& cell : wrong) brought.push_back(static_cast<float>(cell.sum));
        if (held(brought, exact, magnitudes).held.within.back() == all) continue;
        const Explanation explanation = explain(g, pass, inputs, brought).value();
        REQUIRE(explanation.tolerance == 0);
        REQUIRE(std::ranges::find(explanation.mistakes, static_cast<int>(i)) != explanation.mistakes.end());
        ++told[i];
      }
    }
  }
  for (std::size_t i = 0; i < known.size(); ++i) {
    INFO(known[i].name);
    CHECK(told[i] > 0);
  }
}

TEST_CASE("correct results match, in any precision", "[mistakes]") {
  // Rounds to so many bits of mantissa by adding and subtracting a number that is 2^(52 - bits) as large.
  const auto rounded = [](double value, int bits) {
    const double large = std::ldexp(1.5, std::ilogb(value) + 52 - bits);
    return value == 0 ? 0.0F : static_cast<float>(value + large - large);
  };
  CHECK(rounded(1.0 + 1.0 / 128 + 1.0 / 512, 7) == 1.0F + 1.0F / 128);
  for (std::int64_t run = 0; run < 200; ++run) {
    Rng rng(property_seed() + static_cast<std::uint64_t>(run));
    INFO("CONV2D_SEED=" << property_seed() + static_cast<std::uint64_t>(run));
    const RandomProblem p = random_real_problem(rng);
    const Geometry g = resolve(p.desc).value();
    const Oracle right = oracle(p.desc, p.sizes, p.tensors);
    for (const Pass pass : kPasses) {
      if (g.result_size(pass) == 0) continue;
      const Outcome ours = conv2d::test::run(plan(g, pass).value(), p.tensors);
      const Exact& exact = right.of(pass);
      Values magnitudes;
      for (const double magnitude : exact.magnitude) magnitudes.push_back(static_cast<float>(magnitude));
      for (const int bits : {23, 10, 7}) {
        Values result;
        for (const double value : exact.value) result.push_back(rounded(value, bits));
        const Counts within = held(result, ours.out, magnitudes).held.within;
        CAPTURE(bits, to_string(pass));
        REQUIRE(within.back() == std::ssize(result));
        if (bits == 23) REQUIRE(within.front() == std::ssize(result));
      }
    }
  }
}

TEST_CASE("the tolerance of a case file is that of the element with the largest products", "[mistakes]") {
  Values magnitudes{-1, 2, -50, 3};
  CHECK_THAT(rounding(magnitudes), Catch::Matchers::WithinRel(4e-6 * 3, 1e-6));
  drop_signs(magnitudes);
  CHECK(magnitudes == Values{1, 2, 50, 3});
  CHECK_THAT(rounding(magnitudes), Catch::Matchers::WithinRel(4e-6 * 50, 1e-6));
  CHECK(rounding({}) == 0);
}
