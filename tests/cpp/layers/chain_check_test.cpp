#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <vector>

#include "conv2d_teach/gradient_check.hpp"
#include "layers/chain_values.hpp"
#include "support/losses.hpp"
#include "support/matchers.hpp"
#include "support/run.hpp"

using namespace conv2d;
using namespace conv2d::test;

namespace {

const std::vector<LayerDesc>& four_layers() {
  static const std::vector<LayerDesc> layers{
      {.windows = {.k = 3, .kh = 3, .kw = 3, .padding_mode = PaddingMode::same}},
      {.kind = "relu"},
      {.kind = "max_pool", .windows = {.kh = 2, .kw = 2, .stride_h = 2, .stride_w = 2}},
      {.windows = {.k = 2, .kh = 2, .kw = 2}},
  };
  return layers;
}

/// A chain with real values and a target.
template <class T>
struct Checked {
  explicit Checked(const std::vector<LayerDesc>& layers, std::uint64_t seed = 11)
      : chain(plan_chain({.n = 2, .h = 6, .w = 6, .c = 2, .layers = layers}).value()), values(chain) {
    Rng rng(seed);
    values.fill([&] { return rng.real(); });
    other.resize(values.layers.back().y.size());
    for (T& value : other) value = static_cast<T>(rng.real());
  }

  auto check(std::string_view loss, const ChainParameter& of, T epsilon, std::span<const T> gradient = {},
             std::span<const std::int64_t> indices = {}) {
    const ChainTensors<T> tensors = values.tensors();
    const GradientCheckInputs<T> inputs{
        .x = values.x, .layers = tensors.layers, .dy_or_target = other, .gradient = gradient};
    return gradient_check<T>(chain.layers(), loss, of, inputs, epsilon, indices);
  }

  /// The cells of a check that must succeed.
  std::vector<GradientCheckCell> cells(std::string_view loss, const ChainParameter& of, T epsilon,
                                       std::span<const T> gradient = {}) {
    return check(loss, of, epsilon, gradient).value();
  }

  Chain chain;
  ChainValues<T> values;
  std::vector<T> other;
};

constexpr ChainParameter kParameters[] = {{0, Parameter::x}, {0, Parameter::w}, {0, Parameter::b}, {1, Parameter::x},
                                          {2, Parameter::x}, {3, Parameter::x}, {3, Parameter::w}, {3, Parameter::b}};

/// The x of the max_pool comes from a ReLU: its zeros are equal cells.
bool is_tie_of_zeros(const ChainParameter& of, GradientVerdict verdict) {
  return of.layer == 2 && verdict == GradientVerdict::at_tie;
}

/// A chain of one cell: x * w + b, then the layers.
Checked<double> one_cell(const std::vector<LayerDesc>& layers, double x, double w) {
  Checked<double> one(layers);
  one.chain = plan_chain({.layers = layers}).value();
  one.values = ChainValues<double>(one.chain);
  one.values.x = {x};
  one.values.layers[0].w = {w};
  one.values.layers[0].b = {0};
  one.other = {1};
  return one;
}

}  // namespace

TEST_CASE("every gradient of a chain is confirmed in double, except at kinks and ties", "[layers]") {
  Checked<double> four(four_layers());
  for (const std::string_view loss : kLosses) {
    for (const ChainParameter& of : kParameters) {
      CAPTURE(loss, of.layer, static_cast<int>(of.parameter));
      const auto cells = four.check(loss, of, 1e-5);
      REQUIRE_THAT(cells, Succeeds());
      for (const auto& cell : *cells) {
        CAPTURE(cell.index, cell.analytic, cell.numeric, cell.kink_layer, cell.kink_cell);
        CHECK((cell.verdict == GradientVerdict::confirmed || cell.verdict == GradientVerdict::within_rounding ||
               is_tie_of_zeros(of, cell.verdict)));
      }
    }
  }
}

TEST_CASE("every gradient of cross-entropy is confirmed, and one of a common mistake is wrong", "[layers]") {
  const std::vector<LayerDesc> one{{.windows = {.k = 4, .kh = 3, .kw = 3}}};
  for (const Layout layout : kLayouts) {
    for (const auto& layers : {four_layers(), one}) {
      Checked<double> checked(layers);
      checked.chain = plan_chain({.layout = layout, .n = 2, .h = 6, .w = 6, .c = 2, .layers = layers}).value();
      const Geometry& last = checked.chain.layers().back().geometry;
      const LossChannels channels = LossChannels::of(last);
      // A distribution for each position: 1/2, then 1/4, and the rest in the last channel.
      for (std::size_t t = 0; t < checked.other.size(); ++t) {
        const std::size_t c = t / channels.stride % channels.count;
        checked.other[t] = std::exp2(-static_cast<double>(std::min(c + 1, channels.count - 1)));
      }
      for (const ChainParameter& of : kParameters) {
        if (of.layer >= layers.size()) continue;
        CAPTURE(to_string(layout), layers.size(), of.layer, static_cast<int>(of.parameter));
        const auto cells = checked.cells("cross_entropy", of, 1e-5);
        std::vector<double> wrong;
        for (const auto& cell : cells) {
          CAPTURE(cell.index, cell.analytic, cell.numeric, cell.kink_layer);
          CHECK((cell.verdict == GradientVerdict::confirmed || cell.verdict == GradientVerdict::within_rounding ||
                 is_tie_of_zeros(of, cell.verdict)));
          wrong.push_back(cell.analytic * 1.01 + std::copysign(1e-3, cell.analytic));
        }
        for (const auto& cell : checked.cells("cross_entropy", of, 1e-5, wrong)) {
          CHECK((cell.verdict == GradientVerdict::wrong || is_tie_of_zeros(of, cell.verdict)));
        }
        // The bounds hold at a coarse step, too: a right gradient is not called wrong.
        for (const double epsilon : {1.0, 1e-2, 1e-9}) {
          for (const auto& cell : checked.cells("cross_entropy", of, epsilon)) {
            CAPTURE(epsilon, cell.index, cell.analytic, cell.numeric);
            CHECK(cell.verdict != GradientVerdict::wrong);
          }
        }
      }
      checked.other.front() = 0;
      CHECK_THAT(checked.check("cross_entropy", {0, Parameter::w}, 1e-5),
                 Fails(ErrorCode::invalid_argument, "target", {"position 0"}));
    }
  }
}

TEST_CASE("in float no gradient of cross-entropy is wrong, and most are confirmed", "[layers]") {
  Checked<float> four(four_layers());
  for (std::size_t t = 0; t < four.other.size(); ++t) four.other[t] = t % 2 == 0 ? 0.25F : 0.75F;
  std::int64_t confirmed = 0, all = 0;
  for (const ChainParameter& of : kParameters) {
    CAPTURE(of.layer, static_cast<int>(of.parameter));
    for (const auto& cell : four.cells("cross_entropy", of, 1e-2F)) {
      CAPTURE(cell.index, cell.analytic, cell.numeric, cell.rounding);
      CHECK(cell.verdict != GradientVerdict::wrong);
      confirmed += cell.verdict == GradientVerdict::confirmed ? 1 : 0;
      ++all;
    }
  }
  CHECK(confirmed * 2 > all);
}

TEST_CASE("in float no gradient of a chain is wrong, and most are confirmed", "[layers]") {
  Checked<float> four(four_layers());
  std::int64_t confirmed = 0, all = 0;
  for (const ChainParameter& of : kParameters) {
    CAPTURE(of.layer, static_cast<int>(of.parameter));
    for (const auto& cell : four.cells("mse", of, 1e-2F)) {
      CAPTURE(cell.index, cell.analytic, cell.numeric, cell.rounding);
      CHECK(cell.verdict != GradientVerdict::wrong);
      confirmed += cell.verdict == GradientVerdict::confirmed ? 1 : 0;
      ++all;
    }
  }
  CHECK(confirmed * 2 > all);
}

TEST_CASE("a wrong gradient of a chain is wrong", "[layers]") {
  Checked<double> four(four_layers());
  for (const ChainParameter& of : kParameters) {
    CAPTURE(of.layer, static_cast<int>(of.parameter));
    std::vector<double> gradient;
    for (const auto& cell : four.cells("mse", of, 1e-5)) gradient.push_back(cell.analytic);
    for (double& slope : gradient) slope = slope * 1.01 + 1e-3;
    for (const auto& cell : four.cells("mse", of, 1e-5, gradient)) {
      CHECK((cell.verdict == GradientVerdict::wrong || is_tie_of_zeros(of, cell.verdict)));
    }
  }
}

TEST_CASE("the kernels' gradients of a chain are confirmed", "[layers]") {
  Checked<double> four(four_layers());
  ChainValues<float> narrow(four.chain);
  narrow.copy_inputs(four.values);
  std::ranges::copy(four.other, narrow.layers.back().dy.begin());
  REQUIRE_THAT(run_chain(four.chain, narrow), Succeeds());
  const std::vector<double> dw(narrow.layers[0].dw.begin(), narrow.layers[0].dw.end());
  for (const auto& cell : four.cells("linear", {0, Parameter::w}, 1e-5, dw)) {
    CHECK(cell.verdict == GradientVerdict::confirmed);
  }
}

TEST_CASE("a ReLU that changes sign within the step is a kink, with its layer and cell", "[layers]") {
  const std::vector<LayerDesc> layers{{.windows = {}}, {.kind = "relu"}};
  // x * w = 0.001: the gate closes at w - 0.01. The quotient is between 0 and the gradient.
  Checked<double> near = one_cell(layers, 1, 0.001);
  const auto cell = near.cells("linear", {0, Parameter::w}, 0.01).at(0);
  CHECK(cell.verdict == GradientVerdict::at_kink);
  CHECK(cell.kink_layer == 1);
  CHECK(cell.kink_cell == 0);
  CHECK(cell.analytic == 1);
  CHECK(std::abs(cell.numeric - 0.55) < 1e-12);
  // A shorter step stays on one side, and at exactly 0 none does.
  CHECK(near.cells("linear", {0, Parameter::w}, 1e-4).at(0).verdict == GradientVerdict::confirmed);
  CHECK(near.cells("linear", {0, Parameter::w}, 1e-4).at(0).kink_layer == -1);
  Checked<double> zero = one_cell(layers, 1, 0);
  CHECK(zero.cells("linear", {0, Parameter::w}, 1e-6).at(0).verdict == GradientVerdict::at_kink);
  CHECK(zero.cells("linear", {1, Parameter::x}, 1e-6).at(0).verdict == GradientVerdict::at_kink);
  // An input that does not depend on w stays at 0.
  Checked<double> still = one_cell(layers, 0, 3);
  CHECK(still.cells("linear", {0, Parameter::w}, 1e-2).at(0).verdict == GradientVerdict::confirmed);
}

TEST_CASE("a maximum with another winner within the step is a tie, with its layer and cell", "[layers]") {
  const std::vector<LayerDesc> layers{{.kind = "relu"}, {.kind = "max_pool", .windows = {.kw = 2, .stride_w = 2}}};
  const Chain chain = plan_chain({.w = 4, .layers = layers}).value();
  ChainValues<double> values(chain);
  values.x = {5, 2, 3, 3};
  const std::vector<double> dy{1, 1};
  const ChainTensors<double> tensors = values.tensors();
  const auto cells = gradient_check<double>(chain.layers(), "linear", {0, Parameter::x},
                                            {.x = values.x, .layers = tensors.layers, .dy_or_target = dy}, 0.01, {})
                         .value();
  CHECK(cells[0].verdict == GradientVerdict::confirmed);
  CHECK(cells[1].verdict == GradientVerdict::confirmed);
  for (const std::size_t tied : {2, 3}) {
    CHECK(cells[tied].verdict == GradientVerdict::at_tie);
    CHECK(cells[tied].kink_layer == 1);
    CHECK(cells[tied].kink_cell == 1);
    CHECK(std::abs(cells[tied].numeric - 0.5) < 1e-12);
    // Upwards the changed cell wins, downwards the other one.
    CHECK(cells[tied].kink_at_value);
    CHECK(cells[tied].winner_above == static_cast<std::int64_t>(tied));
    CHECK(cells[tied].winner_below == static_cast<std::int64_t>(5 - tied));
    CHECK(std::abs(cells[tied].slope_above - 1) < 1e-12);
    CHECK(cells[tied].slope_below == 0);
  }
}

TEST_CASE("where y passes the target of an absolute error, the loss itself is at a kink", "[layers]") {
  const std::vector<LayerDesc> layers{{.windows = {}}, {.kind = "relu"}};
  // y = x w = 1: the step of 0.25 goes from 0.75 to 1.25, across the target.
  Checked<double> near = one_cell(layers, 1, 1);
  near.other = {0.875};
  const auto cell = near.cells("absolute_error", {0, Parameter::w}, 0.25).at(0);
  CHECK(cell.verdict == GradientVerdict::at_kink);
  CHECK(cell.kink_layer == 2);
  CHECK(cell.kink_cell == 0);
  CHECK(!cell.kink_at_value);
  CHECK(cell.slope_above == 1);
  CHECK(cell.slope_below == 0);  // (0.125 - 0.125) / 0.25
  CHECK(near.cells("absolute_error", {0, Parameter::w}, 0.0625).at(0).verdict == GradientVerdict::confirmed);
  const std::vector<double> wrong{1.01};
  CHECK(near.cells("absolute_error", {0, Parameter::w}, 0.25, wrong).at(0).verdict == GradientVerdict::wrong);
  near.other = {1};
  const auto tied = near.cells("absolute_error", {0, Parameter::w}, 0.0625).at(0);
  CHECK(tied.verdict == GradientVerdict::at_kink);
  CHECK(tied.kink_layer == 2);
  CHECK(tied.kink_at_value);
}

TEST_CASE("of two layers that bend within the step the first one is named", "[layers]") {
  // Both ReLUs close at w - 0.01: x w = 0.001 goes through both.
  const std::vector<LayerDesc> layers{{.windows = {}}, {.kind = "relu"}, {.windows = {}}, {.kind = "relu"}};
  Checked<double> two = one_cell(layers, 1, 0.001);
  two.values.layers[2].w = {1};
  two.values.layers[2].b = {0};
  const auto cell = two.cells("linear", {0, Parameter::w}, 0.01).at(0);
  CHECK(cell.verdict == GradientVerdict::at_kink);
  CHECK(cell.kink_layer == 1);
  CHECK(!cell.kink_at_value);
  // From layer 3 on there is only the other one.
  CHECK(two.cells("linear", {2, Parameter::b}, 0.01).at(0).kink_layer == 3);
}

TEST_CASE("a wrong gradient is wrong although a layer bends within the step", "[layers]") {
  const std::vector<LayerDesc> layers{{.windows = {}}, {.kind = "relu"}};
  Checked<double> near = one_cell(layers, 1, 0.001);
  const std::vector<double> wrong{1.01};
  CHECK(near.cells("linear", {0, Parameter::w}, 0.01, wrong).at(0).verdict == GradientVerdict::wrong);
  // At exactly 0 there is no slope to compare with.
  Checked<double> zero = one_cell(layers, 1, 0);
  const auto tied = zero.cells("linear", {0, Parameter::w}, 0.01, wrong).at(0);
  CHECK(tied.verdict == GradientVerdict::at_kink);
  CHECK(tied.kink_at_value);
}

TEST_CASE("a gradient check of a chain names what is wrong with its arguments", "[layers]") {
  Checked<double> four(four_layers());
  const auto fails = [](const auto& result, ErrorCode code, std::string_view field) {
    CHECK_THAT(result, Fails(code, field));
  };
  const ChainParameter w{0, Parameter::w};
  const std::vector<std::int64_t> beyond{54};
  const std::vector<double> few(3);
  fails(four.check("mse", {4, Parameter::x}, 1e-3), ErrorCode::invalid_argument, "parameter");
  fails(four.check("mse", {1, Parameter::w}, 1e-3), ErrorCode::invalid_argument, "parameter");
  fails(four.check("mse", w, 0), ErrorCode::invalid_argument, "epsilon");
  fails(four.check("mse", w, 1e-3, {}, beyond), ErrorCode::invalid_argument, "indices");
  fails(four.check("mse", w, 1e-3, few), ErrorCode::length_mismatch, "gradient");
  four.other.pop_back();
  fails(four.check("mse", w, 1e-3), ErrorCode::length_mismatch, "target");
  fails(four.check("linear", w, 1e-3), ErrorCode::length_mismatch, "dy");
  four.values.layers[3].w.pop_back();
  fails(four.check("mse", w, 1e-3), ErrorCode::length_mismatch, "layers[3].w");
  four.values.layers[0].b.clear();
  four.values.layers[3].w.push_back(0);
  fails(four.check("mse", {0, Parameter::b}, 1e-3), ErrorCode::invalid_argument, "parameter");
}
