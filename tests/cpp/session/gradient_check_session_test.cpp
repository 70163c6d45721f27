#include "session/gradient_check_session.hpp"

#include <algorithm>
#include <catch2/catch_template_test_macros.hpp>
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <limits>
#include <vector>

#include "support/layer_check.hpp"
#include "support/matchers.hpp"
#include "support/oracle.hpp"

using namespace conv2d;
using namespace conv2d::session;
using namespace conv2d::test;

namespace {

void put(GradientCheckSession& session, std::int64_t layer, CheckSlot slot, const std::vector<float>& values) {
  REQUIRE_THAT(session.reserve(layer, slot, std::ssize(values)), Succeeds());
  std::ranges::copy(values, session.span(layer, slot).begin());
}

/// The chain of "convolution, ReLU, maximum and average by hand" in layers/chain_test.cpp.
const std::vector<LayerDesc> kLayers{{.windows = {.k = 1, .kh = 1, .kw = 2}},
                                     {.kind = "relu"},
                                     {.kind = "max_pool", .windows = {.kh = 2, .stride_h = 2}},
                                     {.kind = "average_pool", .windows = {.kw = 2}}};

GradientCheckSession by_hand() {
  GradientCheckSession session;
  REQUIRE_THAT(session.set_problem({.h = 2, .w = 3}, kLayers), Succeeds());
  put(session, 0, CheckSlot::x, {5, 3, 3, 1, 4, 2});
  put(session, 0, CheckSlot::w, {1, -1});
  put(session, 0, CheckSlot::b, {-1});
  put(session, 0, CheckSlot::target, {8});
  return session;
}

constexpr std::int64_t verdict(GradientVerdict of) { return static_cast<std::int64_t>(of); }

constexpr ConvDesc kDesc{.n = 2, .h = 5, .w = 4, .c = 2, .k = 4, .kh = 3, .kw = 2, .stride_h = 2, .groups = 2};
constexpr std::size_t kRows = 17;

/// A session of one convolution.
struct OneLayer {
  explicit OneLayer(std::string_view loss, const std::vector<float>& gradient = {}) {
    Rng rng(21);
    t = real_tensors(kDesc, *sizes_of(kDesc), rng);
    target = t.dy;
    for (float& value : target) value = rng.real();
    const LayerDesc layer{.windows = kDesc};
    REQUIRE_THAT(session.set_problem({.n = kDesc.n, .h = kDesc.h, .w = kDesc.w, .c = kDesc.c}, {&layer, 1}),
                 Succeeds());
    put(session, 0, CheckSlot::x, t.x);
    put(session, 0, CheckSlot::w, t.w);
    put(session, 0, CheckSlot::b, t.b);
    put(session, 0, CheckSlot::target, loss == "linear" ? t.dy : target);
    put(session, 0, CheckSlot::gradient, gradient);
  }
  void choose(const std::vector<std::int32_t>& cells) {
    REQUIRE_THAT(session.reserve_cells(std::ssize(cells)), Succeeds());
    std::ranges::copy(cells, session.cells().begin());
  }
  TensorValues t;
  std::vector<float> target;
  GradientCheckSession session;
};

/// |a - n| / max(|a|, |n|, smallest normal), by loops in double over two rows of the table.
void check_errors(std::span<const double> table, std::size_t count, double smallest, const CheckSummary& summary) {
  double largest_absolute = 0, largest_relative = 0;
  for (std::size_t i = 0; i < count; ++i) {
    CAPTURE(i);
    const double analytic = table[3 * count + i], numeric = table[4 * count + i];
    const double absolute = std::fabs(analytic - numeric);
    const double relative = absolute / std::fmax(std::fmax(std::fabs(analytic), std::fabs(numeric)), smallest);
    CHECK(table[5 * count + i] == absolute);
    CHECK(table[6 * count + i] == relative);
    largest_absolute = std::fmax(largest_absolute, absolute);
    const bool within = table[9 * count + i] == static_cast<double>(GradientVerdict::within_rounding);
    if (!within) largest_relative = std::fmax(largest_relative, relative);
  }
  CHECK(summary.max_absolute_error == largest_absolute);
  CHECK(summary.max_relative_error == largest_relative);
}

}  // namespace

TEST_CASE("a chain's gradient check fills a table and checks the given gradient", "[session][layers]") {
  GradientCheckSession session = by_hand();
  put(session, 0, CheckSlot::gradient, {36, 20});
  CheckOptions options{.layer = 0, .parameter = Parameter::w, .float64 = true, .epsilon = 0.01};
  const CheckSummary right = session.gradient_check(options);
  REQUIRE_THAT(right.status, Succeeds());
  CHECK(right.cells == 2);
  CHECK(right.verdict == verdict(GradientVerdict::confirmed));
  const std::vector<double> table(session.table().begin(), session.table().end());
  REQUIRE(table.size() == 34);
  CHECK(table[1] == 1);                   // index
  CHECK(table[6] == 36);                  // analytic
  CHECK(std::abs(table[8] - 36) < 1e-6);  // numeric
  CHECK(table[20] == -1);                 // kink_layer
  session.span(0, CheckSlot::gradient)[0] = 37;
  CHECK(session.gradient_check(options).verdict == verdict(GradientVerdict::wrong));
  // Without one, that of the reference.
  put(session, 0, CheckSlot::gradient, {});
  options.loss = "mse";
  CHECK(session.gradient_check(options).verdict == verdict(GradientVerdict::confirmed));
  REQUIRE_THAT(session.reserve_cells(1), Succeeds());
  session.cells()[0] = 1;
  options.float64 = false;
  const CheckSummary one = session.gradient_check(options);
  CHECK(one.cells == 1);
  CHECK(session.table()[0] == 1);
  // y of the convolution is 1 at this cell: a step of 2 closes the gate.
  options = {.layer = 1, .parameter = Parameter::x, .epsilon = 2};
  session.cells()[0] = 0;
  CHECK(session.gradient_check(options).verdict == verdict(GradientVerdict::at_kink));
  CHECK(session.table()[10] == 1);
}

TEST_CASE("a gradient check without a chain or with a wrong one is refused by name", "[session][layers]") {
  GradientCheckSession none;
  CHECK_THAT(none.gradient_check({}).status, Fails(ErrorCode::invalid_argument, "layers"));
  CHECK_THAT(none.reserve(0, CheckSlot::w, 1), Fails(ErrorCode::invalid_argument, "layer"));
  CHECK(none.span(0, CheckSlot::w).empty());
  GradientCheckSession session = by_hand();
  CHECK_THAT(session.gradient_check({.layer = 4, .epsilon = 1}).status, Fails(ErrorCode::invalid_argument, "layer"));
  CHECK_THAT(session.reserve(0, CheckSlot::x, -1), Fails(ErrorCode::invalid_argument, "x"));
  std::vector<LayerDesc> wrong = kLayers;
  wrong[2].windows.kh = 9;
  CHECK_THAT(session.set_problem({.h = 2, .w = 3}, wrong), Fails(ErrorCode::kernel_too_large, "layers[2].kh"));
  CHECK(session.span(0, CheckSlot::w).size() == 2);
  REQUIRE_THAT(session.set_problem({.h = 2, .w = 3}, kLayers), Succeeds());
  CHECK(session.span(0, CheckSlot::w).empty());
}

TEMPLATE_TEST_CASE("a table has a row for each member of a cell, and errors computed from two of them", "[session]",
                   float, double) {
  OneLayer one("mse");
  const bool wide = sizeof(TestType) == sizeof(double);
  const std::vector<TestType> x(one.t.x.begin(), one.t.x.end()), w(one.t.w.begin(), one.t.w.end()),
      b(one.t.b.begin(), one.t.b.end()), target(one.target.begin(), one.target.end());
  const LayerInputs<TestType> inputs{.x = x, .w = w, .b = b, .dy = {}, .target = target};
  const auto cells =
      check_layer<TestType>(resolve(kDesc).value(), "mse", Parameter::w, inputs, TestType(0.01), {}).value();
  const CheckSummary summary =
      one.session.gradient_check({.loss = "mse", .parameter = Parameter::w, .float64 = wide, .epsilon = 0.01});
  REQUIRE(summary.status.ok());
  const std::span<const double> table = one.session.table();
  const std::size_t count = cells.size();
  REQUIRE(count == w.size());
  CHECK(summary.cells == static_cast<std::int64_t>(count));
  REQUIRE(table.size() == kRows * count);
  for (std::size_t i = 0; i < count; ++i) {
    CAPTURE(i);
    CHECK(table[i] == static_cast<double>(i));
    CHECK(table[count + i] == static_cast<double>(cells[i].loss_plus));
    CHECK(table[2 * count + i] == static_cast<double>(cells[i].loss_minus));
    CHECK(table[3 * count + i] == static_cast<double>(cells[i].analytic));
    CHECK(table[4 * count + i] == static_cast<double>(cells[i].numeric));
    CHECK(table[7 * count + i] == cells[i].rounding);
    CHECK(table[8 * count + i] == cells[i].truncation);
    CHECK(table[9 * count + i] <= static_cast<double>(GradientVerdict::within_rounding));
    CHECK(table[10 * count + i] == -1);
    CHECK(table[15 * count + i] == static_cast<double>(cells[i].slope_above));
    CHECK(table[16 * count + i] == static_cast<double>(cells[i].slope_below));
  }
  CHECK(summary.verdict <= verdict(GradientVerdict::within_rounding));
  check_errors(table, count, static_cast<double>(std::numeric_limits<TestType>::min()), summary);
}

TEST_CASE("a given gradient is compared in place of the reference gradient, element by element", "[session]") {
  std::vector<float> gradient(static_cast<std::size_t>(resolve(kDesc)->x_size));
  for (std::size_t i = 0; i < gradient.size(); ++i) gradient[i] = static_cast<float>(i) - 7.5F;
  const std::vector<std::int32_t> chosen{9, 0, 33};
  for (const bool wide : {false, true}) {
    CAPTURE(wide);
    const CheckOptions options{.parameter = Parameter::x, .float64 = wide, .epsilon = 0.125};
    OneLayer given("linear", gradient), reference("linear");
    given.choose(chosen);
    reference.choose(chosen);
    const CheckSummary summary = given.session.gradient_check(options);
    REQUIRE(summary.status.ok());
    REQUIRE(reference.session.gradient_check(options).status.ok());
    const std::span<const double> table = given.session.table();
    for (std::size_t i = 0; i < chosen.size(); ++i) {
      CHECK(table[i] == static_cast<double>(chosen[i]));
      CHECK(table[9 + i] == static_cast<double>(chosen[i]) - 7.5);
      CHECK(table[12 + i] == reference.session.table()[12 + i]);
    }
    const double smallest = wide ? std::numeric_limits<double>::min() : std::numeric_limits<float>::min();
    check_errors(table, 3, smallest, summary);
    CHECK(summary.verdict == verdict(GradientVerdict::wrong));
    CHECK(summary.max_relative_error > 0.1);
  }
}

TEST_CASE("the gradient of integers is exact, and one wrong cell of it is found", "[session]") {
  Rng rng(5);
  const TensorValues t = integer_tensors(kDesc, *sizes_of(kDesc), rng);
  const std::vector<double> dw = oracle(kDesc, *sizes_of(kDesc), t).dw.value;
  OneLayer one("linear");
  put(one.session, 0, CheckSlot::x, t.x);
  put(one.session, 0, CheckSlot::w, t.w);
  put(one.session, 0, CheckSlot::b, t.b);
  put(one.session, 0, CheckSlot::target, t.dy);
  const CheckOptions options{.parameter = Parameter::w, .float64 = true, .epsilon = 0.125};
  CHECK(one.session.gradient_check(options).max_absolute_error == 0);
  CHECK_THAT(one.session.table().subspan(3 * dw.size(), dw.size()), Equals(dw));
  CHECK_THAT(one.session.table().subspan(4 * dw.size(), dw.size()), Equals(dw));
  std::vector<float> gradient(dw.begin(), dw.end());
  gradient[5] += 1000;  // as of a broken kernel
  put(one.session, 0, CheckSlot::gradient, gradient);
  const CheckSummary broken = one.session.gradient_check(options);
  CHECK(broken.max_absolute_error == 1000);
  CHECK(broken.verdict == verdict(GradientVerdict::wrong));
}

TEST_CASE("the largest errors are NaN if any error is NaN", "[session]") {
  std::vector<float> gradient(static_cast<std::size_t>(resolve(kDesc)->w_size), 1.0F);
  gradient[3] = std::numeric_limits<float>::quiet_NaN();
  OneLayer one("linear", gradient);
  const CheckSummary summary = one.session.gradient_check({.parameter = Parameter::w, .epsilon = 0.125});
  REQUIRE(summary.status.ok());
  CHECK(std::isnan(summary.max_absolute_error));
  CHECK(std::isnan(summary.max_relative_error));
}

TEST_CASE("a session rejects what a check rejects, and has no table then", "[session]") {
  OneLayer one("linear", std::vector<float>(3));
  CheckOptions options{.parameter = Parameter::w, .epsilon = 0.1};
  const auto field = [&] { return std::string(one.session.gradient_check(options).status.field); };
  CHECK(field() == "gradient");
  put(one.session, 0, CheckSlot::gradient, {});
  options.loss = "mse";
  put(one.session, 0, CheckSlot::target, {1});
  CHECK(field() == "target");
  put(one.session, 0, CheckSlot::target, one.target);
  options.epsilon = 0;
  CHECK(field() == "epsilon");
  options.epsilon = 0.1;
  one.choose({static_cast<std::int32_t>(one.t.w.size())});
  CHECK(field() == "indices");
  put(one.session, 0, CheckSlot::b, {});
  options.parameter = Parameter::b;
  CHECK(field() == "parameter");
  CHECK(one.session.table().empty());
}
