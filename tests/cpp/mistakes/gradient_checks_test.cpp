#include <algorithm>
#include <array>
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <cstdio>
#include <map>
#include <string>
#include <vector>

#include "conv2d/reference.hpp"
#include "mistakes/mistake.hpp"
#include "support/checked_gradient.hpp"
#include "support/environment.hpp"
#include "support/layer_check.hpp"
#include "support/matchers.hpp"
#include "support/random_problem.hpp"

using namespace conv2d;
using namespace conv2d::test;

// A check finds wrong gradients: those of all mistakes of the catalogue, and right ones with one cell changed. "Wrong"
// is a cell that differs from the right gradient by more than 1 % of the largest one.

namespace {

constexpr Pass kGradients[]{Pass::backward_data, Pass::backward_weights, Pass::backward_bias};

/// A layer with a loss and the right gradient of one of its parameters, in double.
struct Problem {
  explicit Problem(Rng& rng) : desc(random_desc(rng)) {
    if (desc.n == 0) desc.n = 1;
    g = resolve(desc).value();
    x = Values(rng)(g.x_size), w = Values(rng)(g.w_size), b = Values(rng)(g.k);
    y.resize(static_cast<std::size_t>(g.y_size));
    reference::forward<float>(g, x, w, b, y);
    loss = random_loss(rng);
    other = loss == "linear" ? Values(rng)(g.y_size) : random_target(rng, loss, y, LossChannels::of(g));
    dy.resize(y.size());
    REQUIRE_THAT(loss_gradient<float>(loss, y, other, dy, LossChannels::of(g)), Succeeds());
    parameter = static_cast<Parameter>(rng.between(0, 2));
    step = random_step(rng);
  }

  [[nodiscard]] std::vector<double> gradient(const mistakes::Mistake* mistake, int variant) const {
    std::vector<double> values;
    const Pass pass = kGradients[static_cast<int>(parameter)];
    for (const mistakes::Cell& cell :
         mistakes::compute(g, pass, {.x = x, .w = w, .b = b, .dy = dy}, mistake, variant)) {
      values.push_back(cell.sum);
    }
    return values;
  }

  template <class T>
  [[nodiscard]] std::vector<GradientCheckCell> check(const std::vector<double>& gradient) const {
    const std::vector<T> given(gradient.begin(), gradient.end());
    const std::vector<T> wide[]{as<T>(x), as<T>(w), as<T>(b), as<T>(other)};
    const LayerInputs<T> in{.x = wide[0],
                            .w = wide[1],
                            .b = wide[2],
                            .dy = wide[3],
                            .target = wide[3],
                            .gradient = given,
                            .gradient_precision = kFloatPrecision};
    return check_layer<T>(g, loss, parameter, in, static_cast<T>(step), {}).value();
  }

  ConvDesc desc;
  Geometry g;
  std::vector<float> x, w, b, y, other, dy;
  std::string_view loss = "linear";
  Parameter parameter = Parameter::x;
  double step = 0;
};

/// How many wrong gradients were found, and how many were confirmed.
struct Rate {
  std::int64_t wrong = 0, found = 0, confirmed = 0;
};
/// By loss and precision.
using Rates = std::map<std::string_view, std::array<Rate, 2>>;

template <class T>
void count(const Problem& problem, const std::vector<double>& right, const std::vector<double>& wrong, Rate& rate) {
  double largest = 0;
  for (const double value : right) largest = std::max(largest, std::abs(value));
  bool found = false, confirmed = true, differs = false;
  const auto cells = problem.check<T>(wrong);
  // dy in float can be off by 1 %, too: then the slope in double, not the right gradient, says what is wrong.
  const auto slopes = problem.check<double>(right);
  for (std::size_t i = 0; i < cells.size(); ++i) {
    // A mistake can exchange cells that are equal but for rounding.
    if (!(std::abs(wrong[i] - right[i]) > 0.00999 * largest)) continue;
    differs = true;
    found = found || cells[i].verdict == GradientVerdict::wrong;
    const bool is_slope = std::abs(slopes[i].numeric - wrong[i]) <= 0.002 * largest;
    confirmed = confirmed && !is_slope && cells[i].verdict <= GradientVerdict::within_rounding;
  }
  if (!differs) return;
  ++rate.wrong;
  rate.found += found ? 1 : 0;
  rate.confirmed += confirmed ? 1 : 0;
}

void count_both(const Problem& problem, const std::vector<double>& right, const std::vector<double>& wrong,
                Rates& rates) {
  auto& [narrow, wide] = rates[problem.loss];
  count<float>(problem, right, wrong, narrow);
  count<double>(problem, right, wrong, wide);
}

/// At least 85 % are found, apart from the chance of few draws, and none is confirmed. In the rest the mistake is
/// smaller than rounding: dy of large y.
void expect_found(const char* name, const Rates& rates) {
  for (const auto& [loss, by_precision] : rates) {
    for (std::size_t wide = 0; wide < 2; ++wide) {
      const Rate& rate = by_precision[wide];
      CAPTURE(name, loss, wide, rate.wrong, rate.found, rate.confirmed);
      const auto wrong = static_cast<double>(rate.wrong);
      CHECK(static_cast<double>(rate.found) >= 0.85 * wrong - 4 * std::sqrt(0.85 * 0.15 * wrong));
      CHECK(rate.confirmed == 0);
      if (property_runs() < 8000) continue;
      std::printf("%s, %s, %s: %lld of %lld found, %lld confirmed\n", name, std::string(loss).c_str(),
                  wide ? "double" : "float", static_cast<long long>(rate.found), static_cast<long long>(rate.wrong),
                  static_cast<long long>(rate.confirmed));
    }
  }
}

template <class Act>
void repeat(Act act) {
  const std::int64_t runs = std::max<std::int64_t>(1, property_runs() / 16);
  for (std::int64_t i = 0; i < runs; ++i) {
    const std::uint64_t seed = property_seed() + static_cast<std::uint64_t>(i);
    INFO("CONV2D_SEED=" << seed << " CONV2D_PROPERTY_RUNS=16");
    Rng rng(seed);
    const Problem problem(rng);
    if (problem.g.y_size > 0) act(rng, problem);
  }
}

}  // namespace

TEST_CASE("the gradients of the mistakes of the catalogue are found out", "[mistakes]") {
  Rates rates;
  repeat([&](Rng& rng, const Problem& problem) {
    const std::vector<double> right = problem.gradient(nullptr, 0);
    const auto list = mistakes::list();
    // Three of them, so that each is drawn in a few hundred runs.
    for (int draw = 0; draw < 3; ++draw) {
      const mistakes::Mistake& mistake = list[static_cast<std::size_t>(rng.between(0, std::ssize(list) - 1))];
      const int variants = mistake.variants(problem.g, kGradients[static_cast<int>(problem.parameter)]);
      if (variants == 0) continue;
      const int variant = static_cast<int>(rng.between(0, variants - 1));
      count_both(problem, right, problem.gradient(&mistake, variant), rates);
    }
  });
  expect_found("mistakes", rates);
}

TEST_CASE("a gradient with one wrong cell, another sign or another factor is found out", "[mistakes]") {
  Rates one_percent, factor, sign, missing;
  repeat([&](Rng&, const Problem& problem) {
    const std::vector<double> right = problem.gradient(nullptr, 0);
    const auto most = static_cast<std::size_t>(
        std::ranges::max_element(right, {}, [](double value) { return std::abs(value); }) - right.begin());
    std::vector<double> wrong = right;
    wrong[most] *= 1.01;
    count_both(problem, right, wrong, one_percent);
    wrong[most] = 0;
    count_both(problem, right, wrong, missing);
    wrong = right;
    for (double& value : wrong) value *= 1.01;
    count_both(problem, right, wrong, factor);
    for (double& value : wrong) value /= -1.01;
    count_both(problem, right, wrong, sign);
  });
  expect_found("one cell + 1 %", one_percent);
  expect_found("missing cell", missing);
  expect_found("x 1.01", factor);
  expect_found("sign", sign);
}
