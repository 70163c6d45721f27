#include "conv2d_teach/training.hpp"

#include <algorithm>
#include <array>
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "conv2d_teach/numeric.hpp"
#include "support/digits.hpp"
#include "support/golden.hpp"
#include "support/matchers.hpp"

using namespace conv2d;
using namespace conv2d::test;

// Expected values: tests/golden/digits.json, a run of PyTorch from the same initial weights and batches.

namespace {

const Json& expected() {
  static const Json json = golden("digits.json");
  return json;
}

std::vector<double> numbers(const Json& json) {
  std::vector<double> values;
  for (const Json& item : json.items()) values.push_back(item.as_double());
  return values;
}

Training digits_training(const TrainingOptions& options = {}) {
  return Training::start(digits_network(), options).value();
}

/// The loss before each of `steps` steps.
std::vector<double> train(Training& training, std::int64_t steps, std::int64_t first = 0) {
  std::vector<double> losses;
  for (std::int64_t step = first; step < first + steps; ++step) {
    losses.push_back(training.gradients(digits_to_train().view(), step).value());
    training.update();
  }
  return losses;
}

/// Float32 rounds the sums, and momentum carries the difference on.
constexpr Tolerance kClose{.absolute = 1e-6, .relative = 1e-4};

}  // namespace

TEST_CASE("training follows PyTorch from the same weights") {
  Training training = digits_training();
  const std::vector<double> losses = numbers(expected().at("losses"));
  std::vector<double> all;
  for (std::size_t step = 0; step < losses.size(); ++step) {
    all.push_back(training.gradients(digits_to_train().view(), static_cast<std::int64_t>(step)).value());
    std::vector<double> norms;
    for (const std::size_t layer : {0, 3, 5}) norms.push_back(norm(training.tensors().layers[layer].dw));
    CHECK_THAT(norms, Equals(numbers(expected().at("norms").items()[step]), kClose));
    training.update();
  }
  CHECK_THAT(all, Equals(losses, kClose));
  std::array<float, 64> mean{};
  const Evaluation held_out = training.evaluate(digits_held_out().view(), {.mean_abs_dx = mean}).value();
  CHECK_THAT(std::vector{held_out.loss}, Equals(std::vector{expected().at("held_loss").as_double()}, kClose));
  CHECK_THAT(mean, Equals(numbers(expected().at("mean_abs_dx")), kClose));
  std::array<float, 10> probabilities{};
  REQUIRE(training.predict(std::span(digits_held_out().x).first(64), probabilities).ok());
  CHECK_THAT(probabilities, Equals(numbers(expected().at("probabilities")), kClose));
}

TEST_CASE("a transposed layer learns as the dense layer that it equals") {
  // Padding 1 leaves one cell of the four sums of a 2 x 2 window: it reads each cell of x once, through a flipped
  // kernel.
  static constexpr LayerDesc kFirst{.windows = {.k = 3, .kh = 7, .kw = 7}};
  static constexpr std::array kDense{kFirst, LayerDesc{.windows = {.k = 10, .kh = 2, .kw = 2}}};
  static constexpr std::array kTransposed{
      kFirst, LayerDesc{.kind = "conv_transpose", .windows = {.k = 10, .kh = 2, .kw = 2, .padding = {1, 1, 1, 1}}}};
  const auto start = [](std::span<const LayerDesc> layers) {
    return Training::start({.n = 32, .h = 8, .w = 8, .c = 1, .layers = layers}, {}).value();
  };
  Training dense = start(kDense), transposed = start(kTransposed);
  const std::span<float> from = dense.state(), to = transposed.state();
  std::ranges::copy(from, to.begin());
  constexpr std::size_t kFirstSize = 7 * 7 * 3 + 3, kTaps = 4, kX = 3, kY = 10;
  for (std::size_t tap = 0; tap < kTaps; ++tap) {
    for (std::size_t x = 0; x < kX; ++x) {
      for (std::size_t y = 0; y < kY; ++y) {
        to[kFirstSize + ((kTaps - 1 - tap) * kY + y) * kX + x] = from[kFirstSize + (tap * kX + x) * kY + y];
      }
    }
  }
  CHECK_THAT(train(transposed, 8), Equals(train(dense, 8), kClose));
}

TEST_CASE("training recognizes the held-out digits as often as PyTorch does") {
  Training training = digits_training();
  const std::vector<double> correct = numbers(expected().at("all_correct"));
  constexpr std::int64_t kBatches = 44;
  train(training, 10 * kBatches);
  const Evaluation held_out = training.evaluate(digits_held_out().view()).value();
  CHECK(static_cast<double>(held_out.correct) >= 0.95 * static_cast<double>(digits_held_out().labels.size()));
  // Three images are 0.8 %.
  CHECK(std::abs(static_cast<double>(held_out.correct) - correct[9]) <= 3);
}

TEST_CASE("each epoch visits an image at most once") {
  Training training = digits_training();
  constexpr std::int64_t kBatches = 44;
  std::vector<std::int32_t> first, second;
  for (std::int64_t step = 0; step < 2 * kBatches; ++step) {
    REQUIRE(training.gradients(digits_to_train().view(), step).ok());
    std::vector<std::int32_t>& epoch = step < kBatches ? first : second;
    epoch.insert(epoch.end(), training.batch_images().begin(), training.batch_images().end());
  }
  CHECK(first != second);
  for (std::vector<std::int32_t>* const epoch : {&first, &second}) {
    std::ranges::sort(*epoch);
    CHECK(std::ranges::adjacent_find(*epoch) == epoch->end());
    CHECK(epoch->back() < static_cast<std::int32_t>(digits_to_train().labels.size()));
  }
}

TEST_CASE("training goes back to a state that was kept") {
  Training training = digits_training();
  train(training, 50);
  const std::vector<float> kept(training.state().begin(), training.state().end());
  const std::vector<double> first = train(training, 5, 50);
  std::ranges::copy(kept, training.state().begin());
  CHECK(train(training, 5, 50) == first);
}

TEST_CASE("an evaluation does not change the step after it") {
  Training plain = digits_training(), evaluated = digits_training();
  for (Training* const training : {&plain, &evaluated}) {
    REQUIRE(training->gradients(digits_to_train().view(), 0).ok());
    std::array<float, 64> mean{};
    if (training == &evaluated) REQUIRE(training->evaluate(digits_held_out().view(), {.mean_abs_dx = mean}).ok());
    training->update();
  }
  CHECK_THAT(evaluated.state(), HasBitsOf(plain.state()));
}

TEST_CASE("the share of open cells is 0 where a ReLU is closed for all images") {
  Training training = digits_training();
  constexpr std::size_t kRelu = 1;
  const LayerTensors<float>& conv = training.tensors().layers[0];
  // Channel 2 is negative everywhere, channel 3 positive.
  std::ranges::fill(training.state().first(conv.w.size()), 0.0F);
  const std::span<float> bias = training.state().subspan(conv.w.size(), conv.b.size());
  std::ranges::fill(bias, 0.0F);
  bias[2] = -1;
  bias[3] = 1;
  std::array<float, 8> shares{};
  const auto evaluate = [&](const OpenShares& open) {
    return training.evaluate(digits_held_out().view(), {.open = std::span(&open, 1)}).status();
  };
  REQUIRE(evaluate({kRelu, shares}).ok());
  CHECK(shares[2] == 0);
  CHECK(std::abs(shares[3] - 1) < 1e-3F);
  CHECK(evaluate({6, shares}).field == "layer");
  CHECK(evaluate({5, shares}).field == "shares");
}

TEST_CASE("training refuses what it cannot learn from") {
  const ChainDesc network = digits_network();
  CHECK(Training::start(network, {.rate = -1}).status().field == "rate");
  CHECK(Training::start(network, {.momentum = std::numeric_limits<double>::quiet_NaN()}).status().field == "momentum");
  CHECK(Training::start(network, {.scale = -1}).status().field == "scale");
  CHECK(Training::start(network, {.loss = "none"}).status().field == "loss");
  ChainDesc two_cells = network;
  two_cells.layers = network.layers.first(1);
  CHECK(Training::start(two_cells, {}).status().field == "layers");

  Training training = digits_training();
  const LabelledImages images = digits_to_train().view();
  CHECK(training.gradients({images.x, {}}, 0).status().field == "labels");
  CHECK(training.gradients({images.x.first(64), images.labels}, 0).status().field == "x");
  CHECK(training.gradients({images.x.first(64), images.labels.first(1)}, 0).status().field == "labels");
  const std::vector<std::int32_t> wrong(images.labels.size(), 10);
  CHECK(training.evaluate({images.x, wrong}).status().field == "labels");
  std::array<float, 8> shorter{};
  CHECK(training.evaluate(images, {.mean_abs_dx = shorter}).status().field == "mean_abs_dx");
}
