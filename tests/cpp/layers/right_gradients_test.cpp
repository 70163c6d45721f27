#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <cstdio>
#include <string>
#include <vector>

#include "conv2d/reference.hpp"
#include "layers/chain_values.hpp"
#include "support/checked_gradient.hpp"
#include "support/environment.hpp"
#include "support/layer_check.hpp"
#include "support/matchers.hpp"
#include "support/random_problem.hpp"
#include "support/run.hpp"

using namespace conv2d;
using namespace conv2d::test;

// Random checks of right gradients: none may be called wrong. CONV2D_PROPERTY_RUNS=80000 checks 10,000 of each kind. A
// failure repeats with the printed seed and CONV2D_PROPERTY_RUNS=8.

namespace {

constexpr int kCells = 4;

std::string decimal(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.9g", value);
  return text;
}

ConvDesc random_layer_of_page(Rng& rng) {
  if (rng.one_in(12)) return {.h = 28, .w = 28, .kh = 3, .kw = 3};
  if (rng.one_in(25)) return {.h = 32, .w = 32, .c = 3, .k = 2, .kh = 5, .kw = 5, .padding_mode = PaddingMode::same};
  ConvDesc d = random_desc(rng);
  if (d.n == 0) d.n = 1;
  return d;
}

template <class T>
void check_random_layer(Rng& rng, VerdictCounts& counts, std::string& accused) {
  const ConvDesc desc = random_layer_of_page(rng);
  const Geometry g = resolve(desc).value();
  if (g.y_size == 0) return;
  const std::vector<float> x = Values(rng)(g.x_size), w = Values(rng)(g.w_size), b = Values(rng)(g.k);
  std::vector<float> y(static_cast<std::size_t>(g.y_size));
  reference::forward<float>(g, x, w, b, y);
  const std::string_view loss = random_loss(rng);
  const std::vector<float> other =
      loss == "linear" ? Values(rng)(g.y_size) : random_target(rng, loss, y, LossChannels::of(g));
  const auto parameter = static_cast<Parameter>(rng.between(0, 2));
  const std::int64_t size = parameter == Parameter::x ? g.x_size : parameter == Parameter::w ? g.w_size : g.k;
  const std::vector<T> wide[]{as<T>(x), as<T>(w), as<T>(b), as<T>(other)};
  LayerInputs<T> in{.x = wide[0],
                    .w = wide[1],
                    .b = wide[2],
                    .dy = wide[3],
                    .target = wide[3],
                    .gradient_precision = kFloatPrecision};
  // The gradient of the fastest algorithm, as on the page, or that of the reference.
  std::vector<T> gradient;
  if (loss == "linear" && !rng.one_in(3)) {
    constexpr Pass kOf[]{Pass::backward_data, Pass::backward_weights, Pass::backward_bias};
    const Plan p = plan(desc, kOf[static_cast<int>(parameter)]).value();
    const TensorValues tensors{.x = x, .w = w, .b = b, .dy = other};
    const Outcome outcome = run(p, tensors);
    REQUIRE_THAT(outcome.status, Succeeds());
    gradient = as<T>(outcome.out);
    in.gradient = gradient;
  }
  const auto step = static_cast<T>(random_step(rng));
  const auto cells = check_layer<T>(g, loss, parameter, in, step, random_cells(rng, size, kCells)).value();
  for (const GradientCheckCell& cell : cells) {
    counts.add(cell.verdict);
    if (cell.verdict != GradientVerdict::wrong) continue;
    accused += test::to_string(desc) + " loss " + std::string(loss) + " parameter " +
               std::to_string(static_cast<int>(parameter)) + " cell " + std::to_string(cell.index) + " step " +
               decimal(static_cast<double>(step)) + " analytic " + decimal(static_cast<double>(cell.analytic)) +
               " numeric " + decimal(static_cast<double>(cell.numeric)) + " allowance " + decimal(cell.allowance) +
               "\n";
  }
}

/// The layers of one network of the page, or random ones.
std::vector<LayerDesc> layers_of_page(Rng& rng) {
  const LayerDesc relu{.kind = "relu"};
  const LayerDesc conv{.windows = {.k = 2, .kh = 3, .kw = 3, .padding_mode = PaddingMode::same}};
  const LayerDesc pool{.kind = rng.one_in(3) ? "average_pool" : "max_pool",
                       .windows = {.kh = 2, .kw = 2, .stride_h = 2, .stride_w = 2}};
  switch (rng.between(0, 3)) {
    case 0:
      return {conv, relu, conv};
    case 1:
      return {conv, relu, pool, conv};
    case 2:
      return {conv, pool, relu};
    default:
      return {conv, relu, conv, pool};
  }
}

template <class T>
void check_chain(Rng& rng, VerdictCounts& counts, std::string& accused) {
  const RandomChain random(rng, rng.one_in(2) ? Layout::nhwc : Layout::nchw, false);
  ChainDesc desc = random.desc;
  std::vector<LayerDesc> layers = random.layers;
  if (!rng.one_in(4)) {
    layers = layers_of_page(rng);
    desc = {.h = 6, .w = 6};
    if (rng.one_in(30)) desc = {.h = 28, .w = 28};
    if (rng.one_in(60)) {
      desc = {.h = 32, .w = 32, .c = 3};
      layers[0].windows.kh = layers[0].windows.kw = 5;
    }
  }
  desc.layers = layers;
  const Chain chain = plan_chain(desc).value();
  ChainValues<float> values(chain);
  values.x = Values(rng)(std::ssize(values.x));
  for (auto& layer : values.layers) {
    layer.w = Values(rng)(std::ssize(layer.w));
    layer.b = rng.one_in(3) ? std::vector<float>(layer.b.size()) : Values(rng)(std::ssize(layer.b));
  }
  std::ranges::fill(values.layers.back().dy, 0.0F);
  REQUIRE_THAT(run_chain(chain, values), Succeeds());
  const std::string_view loss = random_loss(rng);
  const std::vector<float>& y = values.layers.back().y;
  if (y.empty()) return;
  const LossChannels channels = LossChannels::of(chain.layers().back());
  const std::vector<float> other =
      loss == "linear" ? Values(rng)(std::ssize(y)) : random_target(rng, loss, y, channels);
  REQUIRE_THAT(loss_gradient<float>(loss, y, other, values.layers.back().dy, channels), Succeeds());
  REQUIRE_THAT(run_chain(chain, values), Succeeds());

  ChainParameter of{.layer = static_cast<std::size_t>(rng.between(0, std::ssize(layers) - 1)),
                    .parameter = static_cast<Parameter>(rng.between(0, 2))};
  if (values.layers[of.layer].w.empty()) of.parameter = Parameter::x;
  const auto& own = values.layers[of.layer];
  const std::vector<float>& kernels = of.parameter == Parameter::w   ? own.dw
                                      : of.parameter == Parameter::b ? own.db
                                      : of.layer == 0                ? values.dx
                                                                     : values.layers[of.layer - 1].dy;
  ChainValues<T> wide(chain);
  wide.copy_inputs(values);
  const ChainTensors<T> tensors = wide.tensors();
  const std::vector<T> target = as<T>(other), gradient = as<T>(kernels);
  GradientCheckInputs<T> in{
      .x = wide.x, .layers = tensors.layers, .dy_or_target = target, .gradient_precision = kFloatPrecision};
  if (!rng.one_in(3)) in.gradient = gradient;
  const auto step = static_cast<T>(random_step(rng));
  const auto cells =
      gradient_check<T>(chain.layers(), loss, of, in, step, random_cells(rng, std::ssize(kernels), kCells)).value();
  for (const GradientCheckCell& cell : cells) {
    counts.add(cell.verdict);
    if (cell.verdict != GradientVerdict::wrong) continue;
    accused += std::to_string(layers.size()) + " layers, loss " + std::string(loss) + ", layer " +
               std::to_string(of.layer) + " parameter " + std::to_string(static_cast<int>(of.parameter)) + " cell " +
               std::to_string(cell.index) + " step " + decimal(static_cast<double>(step)) + " analytic " +
               decimal(static_cast<double>(cell.analytic)) + " numeric " + decimal(static_cast<double>(cell.numeric)) +
               " allowance " + decimal(cell.allowance) + (in.gradient.empty() ? " reference" : " kernels") + "\n";
  }
}

template <class Check>
void repeat(const char* name, Check check) {
  const std::int64_t runs = std::max<std::int64_t>(1, property_runs() / 8);
  VerdictCounts counts;
  for (std::int64_t i = 0; i < runs; ++i) {
    const std::uint64_t seed = property_seed() + static_cast<std::uint64_t>(i);
    Rng rng(seed);
    std::string accused;
    check(rng, counts, accused);
    INFO("CONV2D_SEED=" << seed << " CONV2D_PROPERTY_RUNS=8\n" << accused);
    CHECK(accused == "");
  }
  if (runs < 1000) return;
  std::printf("%s: %lld cells:", name, static_cast<long long>(counts.all()));
  constexpr const char* kNames[]{"confirmed", "within rounding", "not at this step", "wrong",
                                 "at a kink", "at a tie",        "undecided"};
  for (std::size_t i = 0; i < counts.cells.size(); ++i) {
    std::printf(" %lld %s", static_cast<long long>(counts.cells[i]), kNames[i]);
  }
  std::printf("\n");
}

}  // namespace

TEST_CASE("no right gradient of a layer is called wrong") {
  repeat("layer, float", check_random_layer<float>);
  repeat("layer, double", check_random_layer<double>);
}

TEST_CASE("no right gradient of a chain is called wrong", "[layers]") {
  repeat("chain, float", check_chain<float>);
  repeat("chain, double", check_chain<double>);
}
