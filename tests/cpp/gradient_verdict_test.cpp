#include <algorithm>
#include <catch2/catch_template_test_macros.hpp>
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <limits>
#include <numeric>
#include <vector>

#include "support/gradient_fixture.hpp"
#include "support/matchers.hpp"

using namespace conv2d;
using namespace conv2d::test;

namespace {

/// Verdicts for a given gradient, in the order of the parameter.
template <class T>
std::vector<GradientVerdict> verdicts_of(const Geometry& g, std::string_view loss, Parameter parameter,
                                         LayerInputs<T> in, const std::vector<T>& gradient, double epsilon) {
  in.gradient = gradient;
  std::vector<GradientVerdict> verdicts;
  const auto cells = check_layer<T>(g, loss, parameter, in, static_cast<T>(epsilon), {}).value();
  for (const GradientCheckCell& cell : cells) verdicts.push_back(cell.verdict);
  return verdicts;
}

bool is_confirmed(GradientVerdict verdict) { return verdict <= GradientVerdict::within_rounding; }

}  // namespace

TEMPLATE_TEST_CASE("correct gradients are confirmed, and a gradient that is 1 % off is wrong", "", float, double) {
  const Fixture<TestType> f;
  const Fixture<double> wide;
  for (const std::string_view loss : {"linear", "mse"}) {
    for (const Parameter parameter : kParameters) {
      CAPTURE(loss, static_cast<int>(parameter));
      const std::vector<double> expected = expected_gradient(wide, loss, parameter);
      const std::vector<TestType> right(expected.begin(), expected.end());
      for (const GradientVerdict verdict : verdicts_of<TestType>(f.geometry, loss, parameter, f.inputs(), right, 0.1)) {
        CHECK(is_confirmed(verdict));
      }
      double largest = 0;
      for (const double value : expected) largest = std::max(largest, std::abs(value));
      for (std::size_t i = 0; i < right.size(); ++i) {
        if (std::abs(expected[i]) < largest / 10) continue;
        std::vector<TestType> wrong = right;
        wrong[i] *= TestType(1.01);
        const auto verdicts = verdicts_of<TestType>(f.geometry, loss, parameter, f.inputs(), wrong, 0.1);
        for (std::size_t j = 0; j < verdicts.size(); ++j) {
          CAPTURE(i, j);
          CHECK((j == i ? verdicts[j] == GradientVerdict::wrong : is_confirmed(verdicts[j])));
        }
      }
    }
  }
}

TEST_CASE("a gradient that differs from 0 only by rounding is compared absolutely") {
  // dw[0] is 0.1 - 0.1 + 0.3 - 0.3 + 0.7 beside dw[1] = 2000.6: a loss of about 1400 is rounded to 0.0001 in float.
  const Geometry g = resolve({.h = 1, .w = 6, .kh = 1, .kw = 2}).value();
  const std::vector<float> x{0.1f, -0.1f, 0.3f, -0.3f, 0.7f, 2000.0f}, w{0.3f, 0.7f}, dy{1, 1, 1, 1, 1};
  const LayerInputs<float> in{.x = x, .w = w, .b = {}, .dy = dy, .target = {}};
  const std::vector<float> right{0.7f, 2000.6f};
  for (const GradientVerdict verdict : verdicts_of<float>(g, "linear", Parameter::w, in, right, 0.1)) {
    CHECK(is_confirmed(verdict));
  }
  const std::vector<float> zero{0, 2000.6f};  // 0.7 is far above the rounding error
  CHECK(verdicts_of<float>(g, "linear", Parameter::w, in, zero, 0.1)[0] == GradientVerdict::wrong);
  const std::vector<float> nearly{0.702f, 2000.6f};  // 0.3 % off: the rounding of the loss does not hide it
  CHECK(verdicts_of<float>(g, "linear", Parameter::w, in, nearly, 0.1)[0] == GradientVerdict::wrong);
}

TEST_CASE("a step that is too small or too large does not make a correct gradient wrong") {
  const Fixture<float> f;
  const Fixture<double> wide;
  const auto all = [](const std::vector<GradientVerdict>& verdicts, auto holds) {
    for (const GradientVerdict verdict : verdicts) CHECK(holds(verdict));
  };
  const auto not_wrong = [](GradientVerdict verdict) { return verdict != GradientVerdict::wrong; };
  for (const Parameter parameter : kParameters) {
    CAPTURE(static_cast<int>(parameter));
    const std::vector<double> linear = expected_gradient(wide, "linear", parameter);
    const std::vector<double> curved = expected_gradient(wide, "log_cosh", parameter);
    const std::vector<float> narrow(linear.begin(), linear.end());
    const auto fine = verdicts_of<float>(f.geometry, "linear", parameter, f.inputs(), narrow, 1e-6);
    all(fine, not_wrong);
    CHECK(std::ranges::count(fine, GradientVerdict::not_at_this_step) > 0);
    const auto coarse = verdicts_of<double>(wide.geometry, "log_cosh", parameter, wide.inputs(), curved, 0.5);
    all(coarse, not_wrong);
    CHECK(std::ranges::count(coarse, GradientVerdict::not_at_this_step) > 0);
    all(verdicts_of<double>(wide.geometry, "log_cosh", parameter, wide.inputs(), curved, 1e-4), is_confirmed);
    std::vector<double> off = curved;
    for (double& value : off) value *= 1.01;
    for (std::size_t i = 0; i < off.size(); ++i) {
      if (std::abs(off[i]) < 1e-3) continue;
      CHECK(verdicts_of<double>(wide.geometry, "log_cosh", parameter, wide.inputs(), off, 1e-4)[i] ==
            GradientVerdict::wrong);
    }
  }
}

TEMPLATE_TEST_CASE("a gradient outside the rounding of its sum is wrong, and inside it is not", "", float, double) {
  // y = w x and dw = 1000 - 1000 + 1: a sum of |products| of 2001 is rounded to 64 * 2^-23 * 2001 = 0.015266.
  const Geometry g = resolve({.h = 1, .w = 3}).value();
  const std::vector<TestType> x{1000, -1000, 1}, w{TestType(0.5)}, dy{1, 1, 1};
  const LayerInputs<TestType> in{.x = x, .w = w, .b = {}, .dy = dy, .target = {}, .gradient_precision = 0x1p-23};
  const auto verdict = [&](double gradient) {
    const std::vector<TestType> given{static_cast<TestType>(gradient)};
    return verdicts_of<TestType>(g, "linear", Parameter::w, in, given, 0.1)[0];
  };
  CHECK(is_confirmed(verdict(1)));
  CHECK(verdict(1.0150) == GradientVerdict::undecided);
  CHECK(verdict(0.9850) == GradientVerdict::undecided);
  CHECK(verdict(1.0156) == GradientVerdict::wrong);
  CHECK(verdict(0.9844) == GradientVerdict::wrong);
}

TEST_CASE("a step over which log-cosh is straight does not make a right gradient wrong", "") {
  // y = w x with x = 400: a step of 0.1 moves y by 40, where the chord of log-cosh has the slope 0 in place of
  // 400 tanh(0.5).
  const Geometry g = resolve({.h = 1, .w = 1}).value();
  const std::vector<double> x{400}, w{2}, target{799.5}, right{400 * std::tanh(0.5)}, wrong{404 * std::tanh(0.5)};
  LayerInputs<double> in{.x = x, .w = w, .b = {}, .dy = {}, .target = target};
  const auto cell = [&](const std::vector<double>& gradient, double step) {
    in.gradient = gradient;
    return check_layer<double>(g, "log_cosh", Parameter::w, in, step, {}).value()[0];
  };
  CHECK(cell(right, 0.1).relative_error > 0.9);
  CHECK(cell(right, 0.1).verdict == GradientVerdict::not_at_this_step);
  CHECK(cell(right, 0.1).truncation > cell(right, 0.1).rounding);
  CHECK(cell(right, 1e-7).verdict == GradientVerdict::confirmed);
  CHECK(cell(wrong, 0.1).verdict == GradientVerdict::wrong);
  CHECK(cell(wrong, 1e-12).verdict == GradientVerdict::wrong);
}

TEST_CASE("a right gradient is not wrong where equal products round y in one direction") {
  // y = 256 * 3.9 * 1.3, added up in float, is off by many of its last digits; log-cosh passes that on to its slope.
  const Geometry g = resolve({.h = 1, .w = 1, .c = 256}).value();
  const std::vector<float> products(256, 3.9f * 1.3f);
  const float y = std::accumulate(products.begin(), products.end(), 0.0f), target = y - 0.5f;
  const double right = std::tanh(static_cast<double>(y - target));
  const std::vector<double> x(256, 3.9f), w(256, 1.3f), b{0}, targets{target};
  LayerInputs<double> in{.x = x, .w = w, .b = b, .dy = {}, .target = targets};
  in.gradient_precision = static_cast<double>(std::numeric_limits<float>::epsilon());
  const auto verdict_of = [&](double gradient) {
    return verdicts_of<double>(g, "log_cosh", Parameter::b, in, {gradient}, 1e-3)[0];
  };
  CHECK(verdict_of(right) != GradientVerdict::wrong);
  CHECK(verdict_of(1.1 * right) == GradientVerdict::wrong);
}

TEMPLATE_TEST_CASE("the absolute error has the sign of each difference as its slope, and 0 at the target", "", float,
                   double) {
  // |1 - 3| + |2 - 2| + |-1.5 - -2| + |4 - 3.5|, divided by 4
  const std::vector<TestType> y{1, 2, TestType(-1.5), 4}, target{3, 2, -2, TestType(3.5)};
  std::vector<TestType> dy(4);
  CHECK(loss_value<TestType>("absolute_error", y, target).value() == TestType(0.75));
  REQUIRE_THAT(loss_gradient<TestType>("absolute_error", y, target, dy), Succeeds());
  CHECK(dy == std::vector<TestType>{TestType(-0.25), 0, TestType(0.25), TestType(0.25)});
  const LossCell<TestType> cell = loss_cell<TestType>("absolute_error", y, target, 0);
  CHECK(cell.difference == -2);
  CHECK(cell.slope == -1);
  CHECK(cell.gradient == TestType(-0.25));
}

TEMPLATE_TEST_CASE("a step that takes y across the target of an absolute error is at a kink", "", float, double) {
  const Geometry g = resolve({}).value();
  const std::vector<TestType> x{1}, w{1};
  const auto check = [&](double target, double epsilon, const std::vector<TestType>& gradient = {}) {
    const std::vector<TestType> targets{static_cast<TestType>(target)};
    return check_layer<TestType>(g, "absolute_error", Parameter::w,
                                 {.x = x, .w = w, .b = {}, .dy = {}, .target = targets, .gradient = gradient},
                                 static_cast<TestType>(epsilon), {})
        .value()
        .at(0);
  };
  // |1.25 - 0.875| and |0.75 - 0.875|: the chord has half of the slope.
  const auto across = check(0.875, 0.25);
  CHECK(across.loss_plus == TestType(0.375));
  CHECK(across.loss_minus == TestType(0.125));
  CHECK(across.analytic == 1);
  CHECK(across.numeric == TestType(0.5));
  CHECK(across.verdict == GradientVerdict::at_kink);
  CHECK(check(0.875, 0.0625).verdict == GradientVerdict::confirmed);
  CHECK(check(1.125, 0.0625).analytic == -1);
  // At the target no step has one slope.
  for (const double epsilon : {0.25, 0.001}) CHECK(check(1, epsilon).verdict == GradientVerdict::at_kink);
  // A wrong gradient is wrong at each step.
  for (const double epsilon : {0.25, 0.0625}) {
    CHECK(check(0.875, epsilon, {TestType(1.0625)}).verdict == GradientVerdict::wrong);
  }
}
