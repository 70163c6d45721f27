#include "session/gradient_table.hpp"

#include <catch2/catch_template_test_macros.hpp>
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <limits>
#include <vector>

#include "session/fixture.hpp"

using namespace conv2d;
using namespace conv2d::session;
using namespace conv2d::test;

namespace {

constexpr ConvDesc kDesc{.n = 2, .h = 5, .w = 4, .c = 2, .k = 4, .kh = 3, .kw = 2, .stride_h = 2, .groups = 2};
constexpr std::size_t kRows = 10;

struct Given {
  Given() {
    Rng rng(21);
    t = real_tensors(kDesc, *sizes_of(kDesc), rng);
    target = t.dy;
    for (float& value : target) value = rng.real();
  }
  [[nodiscard]] CheckTensors tensors(std::span<const float> gradient = {}) const {
    return {.x = t.x, .w = t.w, .b = t.b, .dy = t.dy, .target = target, .gradient = gradient};
  }
  Geometry geometry = resolve(kDesc).value();
  TensorValues t;
  std::vector<float> target;
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

TEMPLATE_TEST_CASE("a table has a row for each member of a cell, and errors computed from two of them", "[session]",
                   float, double) {
  const Given given;
  const bool wide = sizeof(TestType) == sizeof(double);
  const std::vector<TestType> x(given.t.x.begin(), given.t.x.end()), w(given.t.w.begin(), given.t.w.end()),
      b(given.t.b.begin(), given.t.b.end()), target(given.target.begin(), given.target.end());
  const GradientCheckInputs<TestType> inputs{.x = x, .w = w, .b = b, .dy = {}, .target = target};
  const auto cells =
      gradient_check<TestType>(given.geometry, Loss::mse, Parameter::w, inputs, TestType(0.01), {}).value();
  Buffer<double> table;
  const CheckOptions options{.loss = Loss::mse, .parameter = Parameter::w, .float64 = wide, .epsilon = 0.01};
  const CheckSummary summary = fill_gradient_table(given.geometry, given.tensors(), options, {}, table);
  REQUIRE(summary.status.ok());
  const std::size_t count = cells.size();
  REQUIRE(count == w.size());
  CHECK(summary.cells == static_cast<std::int64_t>(count));
  REQUIRE(table.span().size() == kRows * count);
  for (std::size_t i = 0; i < count; ++i) {
    CAPTURE(i);
    CHECK(table.span()[i] == static_cast<double>(i));
    CHECK(table.span()[count + i] == static_cast<double>(cells[i].loss_plus));
    CHECK(table.span()[2 * count + i] == static_cast<double>(cells[i].loss_minus));
    CHECK(table.span()[3 * count + i] == static_cast<double>(cells[i].analytic));
    CHECK(table.span()[4 * count + i] == static_cast<double>(cells[i].numeric));
    CHECK(table.span()[7 * count + i] == cells[i].rounding);
    CHECK(table.span()[8 * count + i] == cells[i].truncation);
    CHECK(table.span()[9 * count + i] <= static_cast<double>(GradientVerdict::within_rounding));
  }
  CHECK(summary.verdict <= static_cast<std::int64_t>(GradientVerdict::within_rounding));
  check_errors(table.span(), count, static_cast<double>(std::numeric_limits<TestType>::min()), summary);
}

TEST_CASE("a given gradient is compared in place of the reference gradient, element by element", "[session]") {
  const Given given;
  std::vector<float> gradient(given.t.x.size());
  for (std::size_t i = 0; i < gradient.size(); ++i) gradient[i] = static_cast<float>(i) - 7.5F;
  const std::vector<std::int64_t> chosen{9, 0, 33};
  for (const bool wide : {false, true}) {
    CAPTURE(wide);
    const CheckOptions options{.parameter = Parameter::x, .float64 = wide, .epsilon = 0.125};
    Buffer<double> table, of_reference;
    const CheckSummary summary = fill_gradient_table(given.geometry, given.tensors(gradient), options, chosen, table);
    REQUIRE(summary.status.ok());
    REQUIRE(fill_gradient_table(given.geometry, given.tensors(), options, chosen, of_reference).status.ok());
    for (std::size_t i = 0; i < chosen.size(); ++i) {
      CHECK(table.span()[i] == static_cast<double>(chosen[i]));
      CHECK(table.span()[9 + i] == static_cast<double>(chosen[i]) - 7.5);
      CHECK(table.span()[12 + i] == of_reference.span()[12 + i]);
    }
    const double smallest = wide ? std::numeric_limits<double>::min() : std::numeric_limits<float>::min();
    check_errors(table.span(), 3, smallest, summary);
    CHECK(summary.verdict == static_cast<std::int64_t>(GradientVerdict::wrong));
    CHECK(summary.max_relative_error > 0.1);
  }
}

TEST_CASE("the largest errors are NaN if any error is NaN", "[session]") {
  const Given given;
  std::vector<float> gradient(given.t.w.size(), 1.0F);
  gradient[3] = std::numeric_limits<float>::quiet_NaN();
  Buffer<double> table;
  const CheckOptions options{.parameter = Parameter::w, .epsilon = 0.125};
  const CheckSummary summary = fill_gradient_table(given.geometry, given.tensors(gradient), options, {}, table);
  REQUIRE(summary.status.ok());
  CHECK(std::isnan(summary.max_absolute_error));
  CHECK(std::isnan(summary.max_relative_error));
}

TEST_CASE("a table rejects what a check rejects", "[session]") {
  const Given given;
  Buffer<double> table;
  const auto refused = [&](const CheckTensors& tensors, const CheckOptions& options,
                           std::vector<std::int64_t> cells = {}) {
    const Status status = fill_gradient_table(given.geometry, tensors, options, cells, table).status;
    CHECK(!status.ok());
    return std::string(status.field);
  };
  const CheckOptions good{.parameter = Parameter::w, .epsilon = 0.1};
  const std::vector<float> short_gradient(given.t.w.size() - 1);
  CHECK(refused(given.tensors(short_gradient), good) == "gradient");
  CHECK(refused(given.tensors(), {.parameter = Parameter::w, .epsilon = 0}) == "epsilon");
  CHECK(refused(given.tensors(), good, {static_cast<std::int64_t>(given.t.w.size())}) == "indices");
  CheckTensors without_bias = given.tensors();
  without_bias.b = {};
  CHECK(refused(without_bias, {.parameter = Parameter::b, .epsilon = 0.1}) == "parameter");
  CHECK(table.span().empty());
}

TEST_CASE("a session checks the gradient of its kernel for its own dy, and otherwise the reference gradient",
          "[session]") {
  const Given given;
  Session session;
  CHECK(session.gradient_check({.epsilon = 0.1}).status.field == "desc");
  REQUIRE(session.set_problem(kDesc).ok());
  put(session, given.t);
  put(session, Slot::target, given.target);
  const CheckOptions linear{.parameter = Parameter::w, .float64 = true, .epsilon = 0.125};
  const CheckOptions curved{.loss = Loss::mse, .parameter = Parameter::w, .float64 = true, .epsilon = 0.001};
  CHECK(session.gradient_check(linear).max_absolute_error <
        1e-6);  // the reference gradient, before any dw was computed
  REQUIRE(session.plan(Pass::backward_weights, "").ok());
  REQUIRE(session.run(Pass::backward_weights, {}).ok());
  CHECK(session.gradient_check(linear).max_absolute_error < 1e-4);
  session.writable(Slot::dw)[5] += 1;  // as a broken kernel would
  CHECK(session.gradient_check(linear).max_absolute_error > 0.9);
  CHECK(session.gradient_check(curved).max_absolute_error < 1e-4);

  REQUIRE(session.reserve_indices(IndexSlot::a, 2).ok());
  session.indices(IndexSlot::a)[0] = 4;
  session.indices(IndexSlot::a)[1] = 0;
  const CheckSummary some = session.gradient_check(linear);
  CHECK(some.cells == 2);
  CHECK(some.max_absolute_error < 1e-4);
  REQUIRE(session.check_table().size() == 2 * kRows);
  CHECK(session.check_table()[0] == 4);
  CHECK(session.check_table()[1] == 0);
  session.indices(IndexSlot::a)[0] = -1;
  CHECK(session.gradient_check(linear).status.field == "indices");
}

TEST_CASE("a session does not check a gradient of earlier values: it computes it again", "[session]") {
  const Given given;
  Session session;
  REQUIRE(session.set_problem(kDesc).ok());
  put(session, given.t);
  struct Case {
    Parameter parameter;
    Pass pass;
    std::vector<Slot> read;  ///< by the pass
  };
  const Case cases[]{{Parameter::x, Pass::backward_data, {Slot::w, Slot::dy}},
                     {Parameter::w, Pass::backward_weights, {Slot::x, Slot::dy}},
                     {Parameter::b, Pass::backward_bias, {Slot::dy}}};
  for (const auto& [parameter, pass, read] : cases) {
    CAPTURE(to_string(pass));
    const CheckOptions options{.parameter = parameter, .float64 = true, .epsilon = 0.125};
    const auto error = [&] {
      const CheckSummary summary = session.gradient_check(options);
      CHECK(summary.status.ok());
      return summary.max_absolute_error;
    };
    REQUIRE(session.plan(pass, "").ok());
    CHECK(error() < 1e-4);  // planned, but not run
    for (const Slot slot : read) {
      CAPTURE(std::string(to_string(slot)));
      REQUIRE(session.run(pass, {}).ok());
      for (float& value : session.writable(slot)) value += 3;
      CHECK(error() < 1e-4);
      put(session, slot, std::vector<float>(session.values(slot).size(), 0.5F));
      CHECK(error() < 1e-4);
    }
    put(session, given.t);
    REQUIRE(session.run(pass, {}).ok());
    REQUIRE(session.random_dy(3).ok());
    CHECK(error() < 1e-4);
    // A gradient that was written after the run is checked as it is.
    session.writable(output_of(pass))[0] += 5;
    CHECK(error() > 4);
    put(session, given.t);
  }
  // A step changes w: the gradient of x is another one.
  REQUIRE(session.run(Pass::backward_data, {}).ok());
  REQUIRE(session.run(Pass::backward_weights, {}).ok());
  REQUIRE(session.sgd_step(Slot::w, Slot::dw, 0.5).ok());
  CHECK(session.gradient_check({.parameter = Parameter::x, .float64 = true, .epsilon = 0.125}).max_absolute_error <
        1e-3);
}
