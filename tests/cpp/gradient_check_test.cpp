#include <algorithm>
#include <catch2/catch_template_test_macros.hpp>
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <string>
#include <vector>

#include "support/layer_check.hpp"
#include "support/losses.hpp"
#include "support/matchers.hpp"
#include "support/oracle.hpp"
#include "support/run.hpp"

using namespace conv2d;
using namespace conv2d::test;

namespace {

constexpr Parameter kParameters[] = {Parameter::x, Parameter::w, Parameter::b};

const ConvDesc kDesc{.n = 2,
                     .h = 6,
                     .w = 5,
                     .c = 4,
                     .k = 6,
                     .kh = 3,
                     .kw = 2,
                     .stride_h = 2,
                     .dilation_w = 2,
                     .groups = 2,
                     .padding = {1, 0, 0, 1}};

template <class T>
struct Fixture {
  explicit Fixture(std::uint64_t seed = 61) {
    Rng rng(seed);
    const TensorValues t = real_tensors(kDesc, *sizes_of(kDesc), rng);
    x.assign(t.x.begin(), t.x.end());
    w.assign(t.w.begin(), t.w.end());
    b.assign(t.b.begin(), t.b.end());
    dy.assign(t.dy.begin(), t.dy.end());
    for (std::size_t i = 0; i < dy.size(); ++i) target.push_back(static_cast<T>(rng.real()));
  }
  [[nodiscard]] LayerInputs<T> inputs() const { return {.x = x, .w = w, .b = b, .dy = dy, .target = target}; }

  Geometry geometry = resolve(kDesc).value();
  std::vector<T> x, w, b, dy, target{};
};

std::size_t size_of(const Fixture<double>& f, Parameter parameter) {
  return parameter == Parameter::x ? f.x.size() : parameter == Parameter::w ? f.w.size() : f.b.size();
}

/// The analytic gradient from the oracle of the tests.
std::vector<double> expected_gradient(const Fixture<double>& f, Loss loss, Parameter parameter) {
  TensorValues t{.x = {f.x.begin(), f.x.end()},
                 .w = {f.w.begin(), f.w.end()},
                 .b = {f.b.begin(), f.b.end()},
                 .dy = {f.dy.begin(), f.dy.end()}};
  const Sizes sizes = *sizes_of(kDesc);
  const std::vector<double> y = oracle(kDesc, sizes, t).y.value;
  std::vector<double> gradient(size_of(f, parameter));
  std::vector<double> dy(y.size());
  for (std::size_t i = 0; i < y.size(); ++i) {
    dy[i] = upstream(loss, y[i], f.dy[i], f.target[i], static_cast<double>(y.size()));
  }
  for_each_product(kDesc, sizes, [&](const Product& m) {
    const double up = dy[static_cast<std::size_t>(m.y)];
    if (parameter == Parameter::x) gradient[static_cast<std::size_t>(m.x)] += up * f.w[static_cast<std::size_t>(m.w)];
    if (parameter == Parameter::w) gradient[static_cast<std::size_t>(m.w)] += up * f.x[static_cast<std::size_t>(m.x)];
  });
  if (parameter == Parameter::b) {
    for (std::size_t i = 0; i < dy.size(); ++i) gradient[i % static_cast<std::size_t>(kDesc.k)] += dy[i];  // NHWC
  }
  return gradient;
}

}  // namespace

TEST_CASE("double gradients agree with central differences and with the definition, element by element") {
  const Fixture<double> f;
  for (const Loss loss : kLosses) {
    for (const Parameter parameter : kParameters) {
      CAPTURE(static_cast<int>(loss), static_cast<int>(parameter));
      const double epsilon = 1e-5;
      const auto cells = check_layer<double>(f.geometry, loss, parameter, f.inputs(), epsilon, {});
      REQUIRE_THAT(cells, Succeeds());
      const std::vector<double> expected = expected_gradient(f, loss, parameter);
      REQUIRE(cells->size() == expected.size());
      for (std::size_t i = 0; i < expected.size(); ++i) {
        const GradientCheckCell<double>& cell = (*cells)[i];
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
  for (const Loss loss : kLosses) {
    for (const Parameter parameter : kParameters) {
      CAPTURE(static_cast<int>(loss), static_cast<int>(parameter));
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
      const auto cells = check_layer<float>(resolve(d).value(), Loss::linear, parameter, in, 0.5f, {});
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
    return check_layer<double>(f.geometry, Loss::log_cosh, Parameter::w, f.inputs(), epsilon, index)
        .value()
        .front()
        .absolute_error;
  };
  CHECK(error(1e-5) < error(1e-1));
  CHECK(error(1e-5) < error(1e-14));
}

TEST_CASE("a different target gives a different gradient") {
  Fixture<double> f;
  const auto right = check_layer<double>(f.geometry, Loss::mse, Parameter::w, f.inputs(), 1e-4, {}).value();
  for (double& t : f.target) t += 1;
  const auto other = check_layer<double>(f.geometry, Loss::mse, Parameter::w, f.inputs(), 1e-4, {}).value();
  for (std::size_t i = 0; i < right.size(); ++i) {
    CHECK(std::abs(right[i].analytic - other[i].analytic) > 1e-6);
    CHECK(other[i].absolute_error < 1e-8);
  }
}

TEMPLATE_TEST_CASE("a given gradient is compared with the same quotients", "", float, double) {
  const Fixture<TestType> f;
  LayerInputs<TestType> in = f.inputs();
  const TestType step(0.0625);
  const auto own = check_layer<TestType>(f.geometry, Loss::mse, Parameter::b, in, step, {}).value();
  std::vector<TestType> given;
  for (const auto& cell : own) given.push_back(cell.analytic * 2 + 1);
  in.gradient = given;
  const auto cells = check_layer<TestType>(f.geometry, Loss::mse, Parameter::b, in, step, {}).value();
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
  const Status status = check_layer<TestType>(f.geometry, Loss::mse, Parameter::b, in, step, {}).status();
  CHECK(status.code == ErrorCode::length_mismatch);
  CHECK(status.field == "gradient");
}

TEST_CASE("only the chosen elements are checked, in the requested order") {
  const Fixture<double> f;
  const std::vector<std::int64_t> indices{7, 0, 7, static_cast<std::int64_t>(f.w.size()) - 1};
  const auto all = check_layer<double>(f.geometry, Loss::mse, Parameter::w, f.inputs(), 1e-4, {}).value();
  const auto some = check_layer<double>(f.geometry, Loss::mse, Parameter::w, f.inputs(), 1e-4, indices);
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
    CHECK_THAT(check_layer<double>(f.geometry, Loss::linear, parameter, in, 1e-4, {}), Succeeds());
  }
  const Status status = check_layer<double>(f.geometry, Loss::linear, Parameter::b, in, 1e-4, {}).status();
  CHECK_THAT(status, Fails(ErrorCode::invalid_argument, "parameter"));
}

TEMPLATE_TEST_CASE("a gradient check rejects each invalid argument and names it", "", float, double) {
  const Fixture<TestType> f;
  using Inputs = LayerInputs<TestType>;
  const auto check = [&](Loss loss, auto change, TestType epsilon, std::span<const std::int64_t> indices) {
    Inputs in = f.inputs();
    change(in);
    return check_layer<TestType>(f.geometry, loss, Parameter::w, in, epsilon, indices).status();
  };
  const auto nothing = [](Inputs&) {};
  const TestType step(0.01);
  CHECK_THAT(check(Loss::linear, nothing, step, {}), Succeeds());

  for (const TestType wrong : {TestType(0), TestType(-1), TestType(NAN), TestType(INFINITY)}) {
    const Status status = check(Loss::linear, nothing, wrong, {});
    CHECK_THAT(status, Fails(ErrorCode::invalid_argument, "epsilon"));
  }
  for (const std::int64_t wrong : {std::int64_t{-1}, static_cast<std::int64_t>(f.w.size())}) {
    const Status status = check(Loss::linear, nothing, step, std::span(&wrong, 1));
    CHECK_THAT(status, Fails(ErrorCode::invalid_argument, "indices", {std::to_string(wrong)}));
  }
  for (const int wrong : {-1, static_cast<int>(kLastLoss) + 1}) {
    CHECK_THAT(check(static_cast<Loss>(wrong), nothing, step, {}),
               Fails(ErrorCode::invalid_argument, "loss", {"loss is " + std::to_string(wrong)}));
    const auto parameter = static_cast<Parameter>(wrong);
    CHECK_THAT(check_layer<TestType>(f.geometry, Loss::linear, parameter, f.inputs(), step, {}),
               Fails(ErrorCode::invalid_argument, "parameter", {"parameter is " + std::to_string(wrong)}));
  }
  const struct {
    Loss loss;
    std::span<const TestType> Inputs::*tensor;
    const char* name;
  } lengths[] = {{Loss::linear, &Inputs::x, "x"},           {Loss::linear, &Inputs::w, "layers[0].w"},
                 {Loss::linear, &Inputs::b, "layers[0].b"}, {Loss::linear, &Inputs::dy, "dy"},
                 {Loss::mse, &Inputs::target, "target"},    {Loss::log_cosh, &Inputs::target, "target"}};
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
  const auto cells = check_layer<double>(f.geometry, Loss::log_cosh, Parameter::w, f.inputs(), 1e-3, {}).value();
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
  const Status status = check_layer<float>(g, Loss::linear, Parameter::x, in, 1.0f, {}).status();
  CHECK_THAT(status, Fails(ErrorCode::out_of_memory, "", {" bytes"}));
}

namespace {

/// Verdicts for a given gradient, in the order of the parameter.
template <class T>
std::vector<GradientVerdict> verdicts_of(const Geometry& g, Loss loss, Parameter parameter, LayerInputs<T> in,
                                         const std::vector<T>& gradient, double epsilon) {
  in.gradient = gradient;
  std::vector<GradientVerdict> verdicts;
  const auto cells = check_layer<T>(g, loss, parameter, in, static_cast<T>(epsilon), {}).value();
  for (const GradientCheckCell<T>& cell : cells) verdicts.push_back(cell.verdict);
  return verdicts;
}

bool is_confirmed(GradientVerdict verdict) { return verdict <= GradientVerdict::within_rounding; }

}  // namespace

TEMPLATE_TEST_CASE("correct gradients are confirmed, and a gradient that is 1 % off is wrong", "", float, double) {
  const Fixture<TestType> f;
  const Fixture<double> wide;
  for (const Loss loss : {Loss::linear, Loss::mse}) {
    for (const Parameter parameter : kParameters) {
      CAPTURE(static_cast<int>(loss), static_cast<int>(parameter));
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
  for (const GradientVerdict verdict : verdicts_of<float>(g, Loss::linear, Parameter::w, in, right, 0.1)) {
    CHECK(is_confirmed(verdict));
  }
  const std::vector<float> zero{0, 2000.6f};  // 0.7 is far above the rounding error
  CHECK(verdicts_of<float>(g, Loss::linear, Parameter::w, in, zero, 0.1)[0] == GradientVerdict::wrong);
  const std::vector<float> nearly{0.702f, 2000.6f};  // 0.3 % off: the rounding of the loss does not hide it
  CHECK(verdicts_of<float>(g, Loss::linear, Parameter::w, in, nearly, 0.1)[0] == GradientVerdict::wrong);
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
    const std::vector<double> linear = expected_gradient(wide, Loss::linear, parameter);
    const std::vector<double> curved = expected_gradient(wide, Loss::log_cosh, parameter);
    const std::vector<float> narrow(linear.begin(), linear.end());
    const auto fine = verdicts_of<float>(f.geometry, Loss::linear, parameter, f.inputs(), narrow, 1e-6);
    all(fine, not_wrong);
    CHECK(std::ranges::count(fine, GradientVerdict::not_at_this_step) > 0);
    const auto coarse = verdicts_of<double>(wide.geometry, Loss::log_cosh, parameter, wide.inputs(), curved, 0.5);
    all(coarse, not_wrong);
    CHECK(std::ranges::count(coarse, GradientVerdict::not_at_this_step) > 0);
    all(verdicts_of<double>(wide.geometry, Loss::log_cosh, parameter, wide.inputs(), curved, 1e-4), is_confirmed);
    std::vector<double> off = curved;
    for (double& value : off) value *= 1.01;
    for (std::size_t i = 0; i < off.size(); ++i) {
      if (std::abs(off[i]) < 1e-3) continue;
      CHECK(verdicts_of<double>(wide.geometry, Loss::log_cosh, parameter, wide.inputs(), off, 1e-4)[i] ==
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
    return verdicts_of<TestType>(g, Loss::linear, Parameter::w, in, given, 0.1)[0];
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
    return check_layer<double>(g, Loss::log_cosh, Parameter::w, in, step, {}).value()[0];
  };
  CHECK(cell(right, 0.1).relative_error > 0.9);
  CHECK(cell(right, 0.1).verdict == GradientVerdict::not_at_this_step);
  CHECK(cell(right, 0.1).truncation > cell(right, 0.1).rounding);
  CHECK(cell(right, 1e-7).verdict == GradientVerdict::confirmed);
  CHECK(cell(wrong, 0.1).verdict == GradientVerdict::wrong);
  CHECK(cell(wrong, 1e-12).verdict == GradientVerdict::wrong);
}

TEMPLATE_TEST_CASE("the absolute error has the sign of each difference as its slope, and 0 at the target", "", float,
                   double) {
  // |1 - 3| + |2 - 2| + |-1.5 - -2| + |4 - 3.5|, divided by 4
  const std::vector<TestType> y{1, 2, TestType(-1.5), 4}, target{3, 2, -2, TestType(3.5)};
  std::vector<TestType> dy(4);
  CHECK(loss_value<TestType>(Loss::absolute_error, y, target).value() == TestType(0.75));
  REQUIRE_THAT(loss_gradient<TestType>(Loss::absolute_error, y, target, dy), Succeeds());
  CHECK(dy == std::vector<TestType>{TestType(-0.25), 0, TestType(0.25), TestType(0.25)});
  const LossCell<TestType> cell = loss_cell<TestType>(Loss::absolute_error, 1, 3, 4);
  CHECK(cell.difference == -2);
  CHECK(cell.slope == -1);
  CHECK(cell.gradient == TestType(-0.25));
}

TEMPLATE_TEST_CASE("a step that takes y across the target of an absolute error is at a kink", "", float, double) {
  const Geometry g = resolve({}).value();
  const std::vector<TestType> x{1}, w{1};
  const auto check = [&](double target, double epsilon, const std::vector<TestType>& gradient = {}) {
    const std::vector<TestType> targets{static_cast<TestType>(target)};
    return check_layer<TestType>(g, Loss::absolute_error, Parameter::w,
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
