#include <algorithm>
#include <catch2/catch_template_test_macros.hpp>
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <string>
#include <vector>

#include "support/gradient_fixture.hpp"
#include "support/matchers.hpp"

using namespace conv2d;
using namespace conv2d::test;

TEST_CASE("double gradients agree with central differences and with the definition, element by element") {
  const Fixture<double> f;
  for (const std::string_view loss : kLosses) {
    for (const Parameter parameter : kParameters) {
      CAPTURE(loss, static_cast<int>(parameter));
      const double epsilon = 1e-5;
      const auto cells = check_layer<double>(f.geometry, loss, parameter, f.inputs(), epsilon, {});
      REQUIRE_THAT(cells, Succeeds());
      const std::vector<double> expected = expected_gradient(f, loss, parameter);
      REQUIRE(cells->size() == expected.size());
      for (std::size_t i = 0; i < expected.size(); ++i) {
        const GradientCheckCell& cell = (*cells)[i];
        CAPTURE(i, cell.analytic, cell.numeric, expected[i]);
        CHECK(cell.index == static_cast<std::int64_t>(i));
        CHECK(std::abs(cell.analytic - expected[i]) <= 1e-12);
        CHECK(std::abs(cell.numeric - expected[i]) <= 1e-8);
        CHECK(cell.numeric == (cell.loss_plus - cell.loss_minus) / (2 * epsilon));
        CHECK(cell.absolute_error == std::abs(cell.analytic - cell.numeric));
        const double larger = std::max(std::abs(cell.analytic), std::abs(cell.numeric));
        if (larger > 0) CHECK(std::abs(cell.relative_error - cell.absolute_error / larger) <= 1e-12);
      }
    }
  }
}

TEST_CASE("float gradients agree within float precision") {
  const Fixture<float> f;
  const Fixture<double> wide;
  for (const std::string_view loss : kLosses) {
    for (const Parameter parameter : kParameters) {
      CAPTURE(loss, static_cast<int>(parameter));
      const auto cells = check_layer<float>(f.geometry, loss, parameter, f.inputs(), 1e-2f, {});
      REQUIRE_THAT(cells, Succeeds());
      const std::vector<double> expected = expected_gradient(wide, loss, parameter);
      REQUIRE(cells->size() == expected.size());
      for (std::size_t i = 0; i < expected.size(); ++i) {
        CHECK(std::abs((*cells)[i].analytic - expected[i]) <= 1e-5);
        CHECK(std::abs((*cells)[i].numeric - expected[i]) <= 5e-3);
      }
    }
  }
}

TEST_CASE("a linear loss on integers with a power-of-two step has no error") {
  Rng rng(62);
  const TensorValues t = integer_tensors(kDesc, *sizes_of(kDesc), rng);
  const LayerInputs<float> in{.x = t.x, .w = t.w, .b = t.b, .dy = t.dy, .target = {}};
  for (const WeightsLayout weights : {WeightsLayout::hwio, WeightsLayout::oihw, WeightsLayout::ohwi}) {
    ConvDesc d = kDesc;
    d.weights_layout = weights;
    for (const Parameter parameter : kParameters) {
      const auto cells = check_layer<float>(resolve(d).value(), "linear", parameter, in, 0.5f, {});
      REQUIRE_THAT(cells, Succeeds());
      for (const auto& cell : *cells) {
        CHECK(cell.absolute_error == 0);
        CHECK(cell.relative_error == 0);
      }
    }
  }
}

TEST_CASE("the best step is between truncation and rounding") {
  const Fixture<double> f;
  const std::vector<std::int64_t> index{3};
  const auto error = [&](double epsilon) {
    return check_layer<double>(f.geometry, "log_cosh", Parameter::w, f.inputs(), epsilon, index)
        .value()
        .front()
        .absolute_error;
  };
  CHECK(error(1e-5) < error(1e-1));
  CHECK(error(1e-5) < error(1e-14));
}

TEST_CASE("a different target gives a different gradient") {
  Fixture<double> f;
  const auto right = check_layer<double>(f.geometry, "mse", Parameter::w, f.inputs(), 1e-4, {}).value();
  for (double& t : f.target) t += 1;
  const auto other = check_layer<double>(f.geometry, "mse", Parameter::w, f.inputs(), 1e-4, {}).value();
  for (std::size_t i = 0; i < right.size(); ++i) {
    CHECK(std::abs(right[i].analytic - other[i].analytic) > 1e-6);
    CHECK(other[i].absolute_error < 1e-8);
  }
}

TEMPLATE_TEST_CASE("a given gradient is compared with the same quotients", "", float, double) {
  const Fixture<TestType> f;
  LayerInputs<TestType> in = f.inputs();
  const TestType step(0.0625);
  const auto own = check_layer<TestType>(f.geometry, "mse", Parameter::b, in, step, {}).value();
  std::vector<TestType> given;
  for (const auto& cell : own) given.push_back(cell.analytic * 2 + 1);
  in.gradient = given;
  const auto cells = check_layer<TestType>(f.geometry, "mse", Parameter::b, in, step, {}).value();
  REQUIRE(cells.size() == own.size());
  for (std::size_t i = 0; i < own.size(); ++i) {
    const double analytic = given[i], numeric = own[i].numeric;
    CHECK(cells[i].analytic == given[i]);
    CHECK(cells[i].numeric == own[i].numeric);
    CHECK(cells[i].absolute_error == std::abs(analytic - numeric));
    CHECK(cells[i].relative_error == std::abs(analytic - numeric) / std::max(std::abs(analytic), std::abs(numeric)));
  }
  given.pop_back();
  in.gradient = given;
  const Status status = check_layer<TestType>(f.geometry, "mse", Parameter::b, in, step, {}).status();
  CHECK(status.code == ErrorCode::length_mismatch);
  CHECK(status.field == "gradient");
}

TEST_CASE("only the chosen elements are checked, in the requested order") {
  const Fixture<double> f;
  const std::vector<std::int64_t> indices{7, 0, 7, static_cast<std::int64_t>(f.w.size()) - 1};
  const auto all = check_layer<double>(f.geometry, "mse", Parameter::w, f.inputs(), 1e-4, {}).value();
  const auto some = check_layer<double>(f.geometry, "mse", Parameter::w, f.inputs(), 1e-4, indices);
  REQUIRE_THAT(some, Succeeds());
  REQUIRE(some->size() == indices.size());
  for (std::size_t i = 0; i < indices.size(); ++i) {
    CHECK((*some)[i].index == indices[i]);
    CHECK((*some)[i].numeric == all[static_cast<std::size_t>(indices[i])].numeric);
    CHECK((*some)[i].analytic == all[static_cast<std::size_t>(indices[i])].analytic);
  }
}

TEST_CASE("x and w can be checked without a bias") {
  const Fixture<double> f;
  LayerInputs<double> in = f.inputs();
  in.b = {};
  for (const Parameter parameter : {Parameter::x, Parameter::w}) {
    CHECK_THAT(check_layer<double>(f.geometry, "linear", parameter, in, 1e-4, {}), Succeeds());
  }
  const Status status = check_layer<double>(f.geometry, "linear", Parameter::b, in, 1e-4, {}).status();
  CHECK_THAT(status, Fails(ErrorCode::invalid_argument, "parameter"));
}

TEMPLATE_TEST_CASE("a gradient check rejects each invalid argument and names it", "", float, double) {
  const Fixture<TestType> f;
  using Inputs = LayerInputs<TestType>;
  const auto check = [&](std::string_view loss, auto change, TestType epsilon, std::span<const std::int64_t> indices) {
    Inputs in = f.inputs();
    change(in);
    return check_layer<TestType>(f.geometry, loss, Parameter::w, in, epsilon, indices).status();
  };
  const auto nothing = [](Inputs&) {};
  const TestType step(0.01);
  CHECK_THAT(check("linear", nothing, step, {}), Succeeds());

  for (const TestType wrong : {TestType(0), TestType(-1), TestType(NAN), TestType(INFINITY)}) {
    const Status status = check("linear", nothing, wrong, {});
    CHECK_THAT(status, Fails(ErrorCode::invalid_argument, "epsilon"));
  }
  for (const std::int64_t wrong : {std::int64_t{-1}, static_cast<std::int64_t>(f.w.size())}) {
    const Status status = check("linear", nothing, step, std::span(&wrong, 1));
    CHECK_THAT(status, Fails(ErrorCode::invalid_argument, "indices", {std::to_string(wrong)}));
  }
  CHECK_THAT(check("huber", nothing, step, {}), Fails(ErrorCode::invalid_argument, "loss", {"no such loss"}));
  for (const int wrong : {-1, 3}) {
    const auto parameter = static_cast<Parameter>(wrong);
    CHECK_THAT(check_layer<TestType>(f.geometry, "linear", parameter, f.inputs(), step, {}),
               Fails(ErrorCode::invalid_argument, "parameter", {"parameter is " + std::to_string(wrong)}));
  }
  const struct {
    std::string_view loss;
    std::span<const TestType> Inputs::*tensor;
    const char* name;
  } lengths[] = {{"linear", &Inputs::x, "x"},           {"linear", &Inputs::w, "layers[0].w"},
                 {"linear", &Inputs::b, "layers[0].b"}, {"linear", &Inputs::dy, "dy"},
                 {"mse", &Inputs::target, "target"},    {"log_cosh", &Inputs::target, "target"}};
  for (const auto& c : lengths) {
    const Status status = check(c.loss, [&](Inputs& in) { in.*c.tensor = (in.*c.tensor).first(2); }, step, {});
    CAPTURE(c.name, status.message);
    CHECK_THAT(status, Fails(ErrorCode::length_mismatch, c.name));
  }
}

TEST_CASE("log-cosh of a large error is finite") {
  // cosh(1000) overflows, even in double.
  Fixture<double> f;
  for (double& t : f.target) t = 1000;
  const auto cells = check_layer<double>(f.geometry, "log_cosh", Parameter::w, f.inputs(), 1e-3, {}).value();
  for (const auto& cell : cells) {
    CHECK(std::isfinite(cell.loss_plus));
    CHECK(std::isfinite(cell.numeric));
  }
}

TEST_CASE("a gradient check that does not fit in memory reports the bytes it needs") {
  // 2^28 or 2^50 outputs. The spans have the required lengths but no memory behind them: nothing may be read before the
  // scratch memory is allocated.
  constexpr int kBits = sizeof(void*) == 4 ? 14 : 25;
  const std::int64_t side = std::int64_t{1} << kBits;
  const Geometry g = resolve({.h = side, .w = side}).value();
  const float cell = 1;
  const std::span<const float> huge(&cell, static_cast<std::size_t>(g.x_size)), one(&cell, 1);
  const LayerInputs<float> in{.x = huge, .w = one, .b = {}, .dy = huge, .target = {}};
  const Status status = check_layer<float>(g, "linear", Parameter::x, in, 1.0f, {}).status();
  CHECK_THAT(status, Fails(ErrorCode::out_of_memory, "", {" bytes"}));
}
