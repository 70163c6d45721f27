#include <catch2/catch_template_test_macros.hpp>
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <vector>

#include "conv2d_teach/losses.hpp"
#include "support/losses.hpp"
#include "support/matchers.hpp"

using namespace conv2d;
using namespace conv2d::test;

TEMPLATE_TEST_CASE("the loss at y matches its formula", "", float, double) {
  const std::vector<double> y{1, -2, 0.5, 300, 7}, other{0.25, -2, 4, -200, 7.5};
  const std::vector<TestType> narrow_y(y.begin(), y.end()), narrow_other(other.begin(), other.end());
  for (const std::string_view loss : kLosses) {
    const auto value = loss_value<TestType>(loss, narrow_y, narrow_other);
    REQUIRE_THAT(value, Succeeds());
    CHECK(std::abs(value.value() - loss_at(loss, y, other)) <= 1e-5 * std::abs(loss_at(loss, y, other)));
    CHECK(loss_value<TestType>(loss, {}, {}).value() == 0);
    const Status status = loss_value<TestType>(loss, narrow_y, std::span(narrow_other).first(4)).status();
    CHECK_THAT(status, Fails(ErrorCode::length_mismatch, loss == "linear" ? "dy" : "target"));
  }
}

TEMPLATE_TEST_CASE("the gradient of a loss at y matches its formula", "", float, double) {
  const std::vector<TestType> y{1, -2, TestType(0.5), 300}, other{TestType(0.25), -2, 4, -200};
  for (const std::string_view loss : kLosses) {
    std::vector<TestType> dy(4, TestType(NAN));
    REQUIRE_THAT(loss_gradient<TestType>(loss, y, other, dy), Succeeds());
    std::vector<double> expected(4);
    for (std::size_t i = 0; i < 4; ++i) expected[i] = upstream(loss, y[i], other[i], other[i], 4);
    CHECK_THAT(dy, Equals(expected, {.absolute = 0, .relative = 1e-6}));
    CHECK_THAT(loss_gradient<TestType>(loss, y, std::span(other).first(3), dy), Fails(ErrorCode::length_mismatch));
    CHECK_THAT(loss_gradient<TestType>(loss, y, other, std::span(dy).first(3)), Fails(ErrorCode::length_mismatch));
  }
}

TEMPLATE_TEST_CASE("the terms of one element of a loss gradient match its formula", "", float, double) {
  const std::vector<TestType> y{1, -2, TestType(0.5), 300}, target{TestType(0.25), -2, 4, -200};
  for (const std::string_view loss : {"mse", "log_cosh"}) {
    std::vector<TestType> dy(4);
    REQUIRE_THAT(loss_gradient<TestType>(loss, y, target, dy), Succeeds());
    for (std::size_t i = 0; i < 4; ++i) {
      const LossCell<TestType> cell = loss_cell<TestType>(loss, y, target, i);
      const double error = static_cast<double>(y[i]) - static_cast<double>(target[i]);
      const double slope = loss == "mse" ? error : std::tanh(error);
      CHECK(static_cast<double>(cell.difference) == error);
      CHECK(std::abs(static_cast<double>(cell.slope) - slope) <= 1e-7 * std::abs(slope));
      CHECK(std::abs(static_cast<double>(cell.gradient) - slope / 4) <= 1e-7 * std::abs(slope));
      CHECK(cell.gradient == dy[i]);
    }
  }
}

TEMPLATE_TEST_CASE("a loss that does not exist is refused by name", "", float, double) {
  const std::vector<TestType> y(3), target(3);
  std::vector<TestType> dy(3);
  for (const std::string loss : {"", "huber", "MSE"}) {
    const std::string words = "there is no such loss";
    CHECK_THAT(loss_value<TestType>(loss, y, target), Fails(ErrorCode::invalid_argument, "loss", {words}));
    CHECK_THAT(loss_gradient<TestType>(loss, y, target, dy), Fails(ErrorCode::invalid_argument, "loss", {words}));
  }
}

TEST_CASE("the losses have names, the linear one first", "") {
  const auto names = loss_names();
  CHECK(std::vector(names.begin(), names.end()) ==
        std::vector<std::string_view>{"linear", "mse", "log_cosh", "absolute_error", "cross_entropy"});
}
