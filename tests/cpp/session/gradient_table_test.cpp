#include "session/gradient_table.hpp"

#include <catch2/catch_template_test_macros.hpp>
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <limits>
#include <vector>

#include "support/oracle.hpp"

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
