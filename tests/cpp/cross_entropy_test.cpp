#include <catch2/catch_template_test_macros.hpp>
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "conv2d_teach/losses.hpp"
#include "support/golden.hpp"
#include "support/matchers.hpp"
#include "support/run.hpp"

using namespace conv2d;
using namespace conv2d::test;

namespace {

double number_of(const Json& json) { return json.is_string() ? std::stod(json.as_string()) : json.as_double(); }

/// A stored case, in one layout.
template <class T>
struct Stored {
  Stored(const Json& json, Layout layout) : layout_(layout) {
    const auto& shape = json.at("shape").items();
    images_ = size(shape[0]);
    cells_ = size(shape[2]) * size(shape[3]);
    channels = {.count = size(shape[1]), .stride = layout == Layout::nhwc ? 1 : cells_};
    value = number_of(json.at("value"));
    for (const double each : moved(json.at("y"))) y.push_back(static_cast<T>(each));
    for (const double each : moved(json.at("target"))) target.push_back(static_cast<T>(each));
    dy = moved(json.at("dy"));
  }

  LossChannels channels;
  double value = 0;
  std::vector<T> y, target;
  std::vector<double> dy;

 private:
  static std::size_t size(const Json& json) { return static_cast<std::size_t>(json.as_int()); }

  [[nodiscard]] std::vector<double> moved(const Json& array) const {
    std::vector<double> values(array.items().size());
    for (std::size_t n = 0, t = 0; n < images_; ++n) {
      for (std::size_t c = 0; c < channels.count; ++c) {
        for (std::size_t cell = 0; cell < cells_; ++cell, ++t) {
          const std::size_t to = layout_ == Layout::nhwc ? (n * cells_ + cell) * channels.count + c : t;
          values[to] = number_of(array.items()[t]);
        }
      }
    }
    return values;
  }

  Layout layout_;
  std::size_t images_ = 0, cells_ = 0;
};

bool is_near(double got, double expected, double tolerance) {
  if (std::isnan(expected) || std::isinf(expected))
    return std::isnan(got) == std::isnan(expected) && !std::isfinite(got);
  return std::abs(got - expected) <= tolerance * std::max(1.0, std::abs(expected));
}

/// The first cell that is not as expected, or -1.
template <class T>
std::ptrdiff_t first_wrong(const std::vector<T>& got, const std::vector<double>& expected, double tolerance) {
  for (std::size_t i = 0; i < expected.size(); ++i) {
    if (!is_near(static_cast<double>(got[i]), expected[i], tolerance)) return static_cast<std::ptrdiff_t>(i);
  }
  return -1;
}

const LossChannels kThree{.count = 3};

}  // namespace

TEMPLATE_TEST_CASE("cross-entropy and its gradient are those of PyTorch, in NCHW and NHWC", "", float, double) {
  const Json all = golden("cross_entropy.json");
  REQUIRE(all.items().size() == 70);
  const double tolerance = 8 * static_cast<double>(std::numeric_limits<TestType>::epsilon());
  for (const Json& json : all.items()) {
    for (const Layout layout : {Layout::nchw, Layout::nhwc}) {
      CAPTURE(json.at("name").as_string(), to_string(layout));
      const Stored<TestType> stored(json, layout);
      const auto value = loss_value<TestType>("cross_entropy", stored.y, stored.target, stored.channels);
      REQUIRE_THAT(value, Succeeds());
      CHECK(is_near(static_cast<double>(*value), stored.value, tolerance));
      std::vector<TestType> dy(stored.y.size());
      REQUIRE_THAT(loss_gradient<TestType>("cross_entropy", stored.y, stored.target, dy, stored.channels), Succeeds());
      CHECK(first_wrong(dy, stored.dy, tolerance) == -1);
      for (std::size_t i = 0; i < dy.size(); ++i) {
        const auto cell = loss_cell<TestType>("cross_entropy", stored.y, stored.target, i, stored.channels);
        CHECK((cell.gradient == dy[i] || std::isnan(dy[i])));
      }
      // The comparison rejects one wrong cell.
      dy.back() += TestType(1e-3);
      CHECK((first_wrong(dy, stored.dy, tolerance) != -1 || std::isnan(stored.dy.back())));
    }
  }
}

TEMPLATE_TEST_CASE("a probability near 0 or 1 keeps all digits of its gradient", "", float, double) {
  // dy of two channels is e^-50 / (1 + e^-50), with both signs.
  const std::vector<TestType> y{0, -50}, target{1, 0};
  std::vector<TestType> dy(2);
  REQUIRE_THAT(loss_gradient<TestType>("cross_entropy", y, target, dy, {.count = 2}), Succeeds());
  const double expected = 1.9287498479639178e-22;
  CHECK_THAT(dy, Equals({-expected, expected}, {.absolute = 0, .relative = 1e-7}));
  CHECK(std::abs(static_cast<double>(loss_value<TestType>("cross_entropy", y, target, {.count = 2}).value() /
                                     TestType(expected)) -
                 1) < 1e-6);
}

TEMPLATE_TEST_CASE("the parts of one element of the gradient of cross-entropy are those of softmax", "", float,
                   double) {
  // Two positions: e^0 = 1 of a total of 1 + 1/2 + 1/4.
  const auto half = static_cast<TestType>(-std::log(2.0));
  const std::vector<TestType> y{5, 5 + half, 5 + 2 * half, 0, 0, 0};
  const std::vector<TestType> target{0, 1, 0, 1, 0, 0};
  const auto cell = loss_cell<TestType>("cross_entropy", y, target, 1, kThree);
  const std::vector<TestType> got{cell.largest,    cell.power, cell.total,   cell.share,
                                  cell.difference, cell.slope, cell.gradient};
  CHECK_THAT(got, Equals({5, 0.5, 1.75, 2 / 7.0, -5 / 7.0, -5 / 7.0, -5 / 14.0}, {.absolute = 0, .relative = 1e-6}));
}

TEMPLATE_TEST_CASE("a target that is no distribution is refused with its position", "", float, double) {
  const std::vector<TestType> y(6);
  std::vector<TestType> dy(6);
  const auto fails = [&](const std::vector<TestType>& target) {
    const auto matches = Fails(ErrorCode::invalid_argument, "target", {"position 1", "sum to 1"});
    CHECK_THAT(loss_value<TestType>("cross_entropy", y, target, kThree), matches);
    CHECK_THAT(loss_gradient<TestType>("cross_entropy", y, target, dy, kThree), matches);
  };
  fails({1, 0, 0, 0, 0, 0});
  fails({1, 0, 0, 1, 1, 0});
  fails({1, 0, 0, 2, -1, 0});
  fails({1, 0, 0, 1, TestType(NAN), 0});
  fails({1, 0, 0, TestType(INFINITY), 0, 0});
  const std::vector<TestType> thirds{1, 0, 0, TestType(0.3333), TestType(0.3333), TestType(0.3333)};
  CHECK_THAT(loss_gradient<TestType>("cross_entropy", y, thirds, dy, kThree), Succeeds());
  // Another loss has no such rule.
  CHECK_THAT(loss_value<TestType>("mse", y, y, kThree), Succeeds());
}

TEMPLATE_TEST_CASE("channels that do not divide y are refused", "", float, double) {
  const std::vector<TestType> y(6), target(6, 1);
  for (const LossChannels wrong : {LossChannels{.count = 4}, {.count = 3, .stride = 4}, {.count = 0}, {.stride = 0}}) {
    CHECK_THAT(loss_value<TestType>("cross_entropy", y, target, wrong),
               Fails(ErrorCode::invalid_argument, "channels", {"divide"}));
  }
  CHECK(loss_value<TestType>("cross_entropy", {}, {}, {.count = 4}).value() == 0);
}
