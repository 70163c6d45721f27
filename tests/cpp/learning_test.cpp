#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <limits>
#include <vector>

#include "conv2d/conv2d.hpp"
#include "conv2d_teach/learning.hpp"
#include "conv2d_teach/losses.hpp"
#include "support/matchers.hpp"
#include "support/oracle.hpp"

using namespace conv2d;
using namespace conv2d::test;

namespace {

constexpr ConvDesc kDesc{.n = 2,
                         .h = 7,
                         .w = 6,
                         .c = 2,
                         .k = 3,
                         .kh = 3,
                         .kw = 2,
                         .stride_w = 2,
                         .padding = {.top = 1, .bottom = 0, .left = 1, .right = 1}};

/// One convolution that learns w and b with the passes of the library.
struct Learner {
  Geometry g = resolve(kDesc).value();
  std::vector<float> x, w, b, target;
  std::vector<float> y, dy, dw, db, workspace;
  Plan forward_plan = plan(g, Pass::forward).value();
  Plan weights_plan = plan(g, Pass::backward_weights).value();
  Plan bias_plan = plan(g, Pass::backward_bias).value();

  Learner() {
    Rng rng(5);
    const auto reals = [&rng](std::int64_t count) {
      std::vector<float> values(static_cast<std::size_t>(count));
      for (float& value : values) value = rng.real();
      return values;
    };
    x = reals(g.x_size), w = reals(g.w_size), b = reals(g.k), target = reals(g.y_size);
    y.resize(target.size()), dy.resize(target.size()), dw.resize(w.size()), db.resize(b.size());
    workspace.resize(static_cast<std::size_t>(
        std::max({forward_plan.workspace_floats(), weights_plan.workspace_floats(), bias_plan.workspace_floats()})));
  }

  /// Computes dw and db, and returns the loss.
  float gradients() {
    REQUIRE_THAT(forward(forward_plan, x, w, b, y, {.workspace = workspace}), Succeeds());
    REQUIRE_THAT(loss_gradient<float>("mse", y, target, dy), Succeeds());
    REQUIRE_THAT(backward_weights(weights_plan, x, dy, dw, {.workspace = workspace}), Succeeds());
    REQUIRE_THAT(backward_bias(bias_plan, dy, db, {.workspace = workspace}), Succeeds());
    return loss_value<float>("mse", y, target).value();
  }

  void step(double rate) {
    gradients();
    REQUIRE_THAT(sgd_step(w, dw, rate), Succeeds());
    REQUIRE_THAT(sgd_step(b, db, rate), Succeeds());
  }
};

/// The design matrix, row by row: y = A [w; b], from the definition of a convolution.
std::vector<std::vector<double>> design(const Learner& learner) {
  const Sizes s = sizes_of(kDesc).value();
  const std::size_t weights = learner.w.size();
  std::vector<std::vector<double>> rows(learner.y.size(), std::vector<double>(weights + learner.b.size()));
  for_each_product(kDesc, s, [&](const Product& p) {
    rows[static_cast<std::size_t>(p.y)][static_cast<std::size_t>(p.w)] +=
        static_cast<double>(learner.x[static_cast<std::size_t>(p.x)]);
  });
  for (std::size_t t = 0; t < rows.size(); ++t) rows[t][weights + t % learner.b.size()] = 1;
  return rows;
}

/// The largest eigenvalue of A^T A / N, by Jacobi rotations in double.
double largest_eigenvalue(const std::vector<std::vector<double>>& rows) {
  const std::size_t size = rows.front().size();
  std::vector<std::vector<double>> a(size, std::vector<double>(size));
  for (const auto& row : rows) {
    for (std::size_t i = 0; i < size; ++i) {
      for (std::size_t j = 0; j < size; ++j) a[i][j] += row[i] * row[j] / static_cast<double>(rows.size());
    }
  }
  for (int sweep = 0; sweep < 20; ++sweep) {
    for (std::size_t p = 0; p < size; ++p) {
      for (std::size_t q = p + 1; q < size; ++q) {
        const double theta = 0.5 * std::atan2(2 * a[p][q], a[q][q] - a[p][p]);
        const double cos = std::cos(theta), sin = std::sin(theta);
        for (auto& row : a) {
          const double u = row[p], v = row[q];
          row[p] = cos * u - sin * v, row[q] = sin * u + cos * v;
        }
        for (std::size_t t = 0; t < size; ++t) {
          const double u = a[p][t], v = a[q][t];
          a[p][t] = cos * u - sin * v, a[q][t] = sin * u + cos * v;
        }
      }
    }
  }
  double largest = 0;
  for (std::size_t t = 0; t < size; ++t) largest = std::max(largest, a[t][t]);
  return largest;
}

double curvature_of(Learner learner, int rounds) {
  std::ranges::fill(learner.target, 0.0F);
  double curvature = 0;
  for (int round = 0; round < rounds; ++round) {
    learner.gradients();
    curvature = power_iteration_step({learner.w, learner.b}, {learner.dw, learner.db});
  }
  return curvature;
}

}  // namespace

TEST_CASE("a gradient step subtracts the scaled gradient") {
  std::vector<float> values{1, -2, 0.5F};
  const std::vector<float> slopes{4, 0.25F, -8};
  REQUIRE_THAT(sgd_step(values, slopes, 0.125), Succeeds());
  CHECK(values == std::vector<float>{0.5F, -2.03125F, 1.5F});
  const Status status = sgd_step(values, std::span(slopes).first(2), 1);
  CHECK_THAT(status, Fails(ErrorCode::length_mismatch, "gradient"));
}

TEST_CASE("gradient steps with the passes match loops in double") {
  Learner learner;
  const auto rows = design(learner);
  std::vector<double> theta(learner.w.begin(), learner.w.end());
  theta.insert(theta.end(), learner.b.begin(), learner.b.end());
  for (int step = 0; step < 5; ++step) {
    std::vector<double> slopes(theta.size());
    for (std::size_t t = 0; t < rows.size(); ++t) {
      double error = -static_cast<double>(learner.target[t]);
      for (std::size_t i = 0; i < theta.size(); ++i) error += rows[t][i] * theta[i];
      for (std::size_t i = 0; i < theta.size(); ++i) {
        slopes[i] += rows[t][i] * error / static_cast<double>(rows.size());
      }
    }
    for (std::size_t i = 0; i < theta.size(); ++i) theta[i] -= 0.5 * slopes[i];
    learner.step(0.5);
    for (std::size_t i = 0; i < theta.size(); ++i) {
      const float got = i < learner.w.size() ? learner.w[i] : learner.b[i - learner.w.size()];
      CHECK(std::abs(static_cast<double>(got) - theta[i]) < 1e-6);
    }
  }
}

TEST_CASE("power iteration with the passes converges to the largest eigenvalue from below") {
  const Learner learner;
  const double largest = largest_eigenvalue(design(learner));
  double before = 0;
  for (const int rounds : {1, 3, 10, 30, 100, 300}) {
    const double curvature = curvature_of(learner, rounds);
    CHECK(curvature <= largest * (1 + 1e-6));
    CHECK(curvature >= before * (1 - 1e-6));
    before = curvature;
  }
  CHECK(std::abs(before - largest) < 1e-4 * largest);
}

TEST_CASE("a power iteration step with a zero product keeps the direction") {
  std::vector<float> direction{3, 4}, product{0, 0};
  CHECK(power_iteration_step({direction, {}}, {product, {}}) == 0);
  CHECK(direction == std::vector<float>{3, 4});
  product = {6, 8};
  CHECK(power_iteration_step({direction, {}}, {product, {}}) == 2);
  CHECK(std::abs(direction[0] - 0.6F) < 1e-7F);
  CHECK(step_size(0, 1).largest_rate == std::numeric_limits<double>::infinity());
  CHECK(step_size(0, 1).factor == 1);
}

TEST_CASE("below the largest rate the loss never increases; above it the loss diverges by the predicted factor") {
  const Learner start;
  const double curvature = curvature_of(start, 300);
  const double largest = step_size(curvature, 0).largest_rate;
  Learner slow = start;
  float before = std::numeric_limits<float>::infinity();
  for (int step = 0; step < 200; ++step) {
    const float loss = slow.gradients();
    CHECK(loss <= before * (1 + 1e-6F));
    before = loss;
    slow.step(0.98 * largest);
  }
  Learner fast = start;
  const StepSize diverging = step_size(curvature, 1.2 * largest);
  CHECK(diverging.factor < -1);
  for (int step = 0; step < 40; ++step) fast.step(1.2 * largest);
  const double at_forty = static_cast<double>(fast.gradients());
  fast.step(1.2 * largest);
  // The steepest direction dominates by now, so the loss grows by the square of the factor.
  CHECK(std::abs(static_cast<double>(fast.gradients()) / at_forty - diverging.factor * diverging.factor) < 0.01);
}
