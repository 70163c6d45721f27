#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <limits>
#include <random>
#include <sstream>
#include <string>
#include <vector>

#include "check/plain_kernel.hpp"
#include "conv2d/conv2d.hpp"
#include "conv2d_check/check.hpp"
#include "conv2d_check/samples.hpp"

using namespace conv2d;
using namespace conv2d::test;
using conv2d_check::Elements;
using conv2d_check::Judgement;
using conv2d_check::Options;
using conv2d_check::Sample;
using conv2d_check::Verdict;

namespace {

/// A layer with normal values. Its result is that of plain float loops.
struct Drawn {
  explicit Drawn(Pass pass,
                 ConvDesc desc = {.layout = Layout::nchw, .n = 2, .h = 9, .w = 8, .c = 3, .k = 4, .kh = 3, .kw = 3}) {
    desc.padding = {1, 1, 1, 1};
    std::mt19937 random(7);
    std::normal_distribution<float> normal;
    const Geometry g = resolve(desc).value();
    const auto draw = [&](std::int64_t size) {
      std::vector<float> values(static_cast<std::size_t>(size));
      for (float& value : values) value = normal(random);
      return values;
    };
    sample = {.name = "",
              .desc = desc,
              .pass = pass,
              .options = {},
              .x = draw(g.x_size),
              .w = draw(g.w_size),
              .b = draw(g.k),
              .dy = draw(g.y_size),
              .expected = {}};
    result.resize(static_cast<std::size_t>(g.result_size(pass)));
    plain_kernel(sample, result.data());
  }
  [[nodiscard]] Verdict judge() const { return sample.judge(result); }

  Sample sample;
  std::vector<float> result;
};

constexpr Pass kPasses[]{Pass::forward, Pass::backward_data, Pass::backward_weights, Pass::backward_bias};

}  // namespace

TEST_CASE("judge: right results match, as condition and in words") {
  for (const Pass pass : kPasses) {
    const Verdict verdict = Drawn(pass).judge();
    CHECK(verdict);
    CHECK(verdict.judgement == Judgement::matches);
    CHECK(verdict.differing == 0);
    std::ostringstream text;
    text << verdict;
    CHECK(text.str().ends_with("right, within float32 rounding."));
  }
}

TEST_CASE("judge: small changes of a right result never match") {
  for (const Pass pass : kPasses) {
    const auto changed = [&](auto change) {
      Drawn drawn(pass);
      change(drawn);
      return drawn.judge();
    };
    CHECK_FALSE(changed([](Drawn& d) { d.result[1] *= 1.01F; }));
    CHECK_FALSE(changed([](Drawn& d) {
      for (float& value : d.result) value = 0;
    }));
    CHECK_FALSE(changed([](Drawn& d) {
      for (float& value : d.result) value += 1;
    }));
    CHECK_FALSE(changed([](Drawn& d) { d.result.back() = std::numeric_limits<float>::quiet_NaN(); }));
    CHECK_FALSE(changed([](Drawn& d) { d.result.front() = std::numeric_limits<float>::infinity(); }));
    const Verdict larger = changed([](Drawn& d) {
      for (float& value : d.result) value *= 1.001F;
    });
    CHECK(larger.judgement == Judgement::scaled);
    CHECK(std::abs(larger.factor - 1.001) < 1e-5);
  }
}

TEST_CASE("judge: cells that were never written have their rule, though the others are wrong as well") {
  const ConvDesc desc{.n = 1, .h = 20, .w = 9, .c = 2, .k = 3, .kh = 3, .kw = 3};
  const std::vector<float> x(360, 1.0F), w(54, 1.0F);
  std::vector<float> y(18 * 7 * 3);
  for (std::size_t i = 0; i < y.size(); ++i)
    y[i] = i < y.size() / 2 ? static_cast<float>(i * i % 17) - 40 : std::numeric_limits<float>::quiet_NaN();
  const Verdict verdict = conv2d_check::forward(desc, {.x = x, .w = w}, y);
  CHECK(verdict.judgement == Judgement::differs);
  CHECK(verdict.relation == "NaN in rows from 9 on, and wrong elsewhere");
}

TEST_CASE("judge: a factor with a reason") {
  Drawn drawn(Pass::backward_weights);
  for (float& value : drawn.result) value *= 0.01F;
  const Verdict verdict = drawn.judge();
  CHECK(verdict.judgement == Judgement::scaled);
  CHECK(verdict.factor == 0.01);
  CHECK(verdict.factor_reason == "a learning rate");
  CHECK(verdict.names.empty());
}

TEST_CASE("judge: weight decay is named with its amount") {
  for (const double amount : {0.5, 1e-3}) {
    Drawn drawn(Pass::backward_weights);
    for (std::size_t i = 0; i < drawn.result.size(); ++i)
      drawn.result[i] += static_cast<float>(amount) * drawn.sample.w[i];
    const Verdict verdict = drawn.judge();
    CHECK(verdict.judgement == Judgement::mistake);
    CHECK(verdict.names == std::vector<std::string>{"weight_decay"});
    CHECK(std::abs(verdict.factor - amount) < 0.02 * amount);
  }
}

TEST_CASE("judge: results in lower formats match, wrong ones in lower formats do not") {
  const Drawn exact(Pass::backward_weights);
  const auto bits = conv2d_check::to_bfloat16(exact.result);
  const Verdict stored = exact.sample.judge(Elements::bfloat16(bits));
  CHECK(stored);
  CHECK(stored.format == "bfloat16");
  auto flipped = exact.result;
  std::ranges::reverse(flipped);
  CHECK_FALSE(exact.sample.judge(Elements::bfloat16(conv2d_check::to_bfloat16(flipped))));
  std::vector<float> printed = exact.result;
  for (float& value : printed) value = std::round(value * 100) / 100;
  const Verdict decimals = exact.sample.judge(printed);
  CHECK(decimals);
  CHECK(decimals.format == "2 decimals");
  printed[3] += 0.02F;
  CHECK_FALSE(exact.sample.judge(printed));
}

TEST_CASE("judge: zeros are not a rounded gradient") {
  Drawn drawn(Pass::backward_weights);
  for (float& value : drawn.result) value = 0;
  CHECK(drawn.judge().judgement == Judgement::differs);
  CHECK(drawn.sample.judge(Elements::bfloat16(std::vector<std::uint16_t>(drawn.result.size()))).judgement ==
        Judgement::differs);
}

TEST_CASE("judge: whole numbers that are off by one have no rounding") {
  Drawn drawn(Pass::backward_weights,
              {.layout = Layout::nchw, .n = 1, .h = 8, .w = 8, .c = 1, .k = 1, .kh = 3, .kw = 3});
  for (auto* tensor : {&drawn.sample.x, &drawn.sample.dy})
    for (float& value : *tensor) value = std::round(value * 2);
  plain_kernel(drawn.sample, drawn.result.data());
  CHECK(drawn.judge());
  for (float& value : drawn.result) value += 1;
  const Verdict verdict = drawn.judge();
  CHECK(verdict.judgement == Judgement::differs);
  CHECK(verdict.relation == "the right values plus 1");
}

TEST_CASE("judge: a missing operand cannot tell, another length does not fit") {
  const Drawn drawn(Pass::backward_weights);
  const Verdict missing = conv2d_check::backward_weights(drawn.sample.desc, {.x = drawn.sample.x}, drawn.result);
  CHECK(missing.judgement == Judgement::cannot_tell);
  CHECK(missing.sentence == "Cannot tell whether dw is right: dy is missing.");
  const std::vector<float> shorter(drawn.result.begin(), drawn.result.end() - 1);
  const Verdict length = drawn.sample.judge(shorter);
  CHECK(length.judgement == Judgement::does_not_fit);
  CHECK(length.sentence == "dw does not fit: it has 107 elements, but needs 108.");
  const Verdict operand =
      conv2d_check::backward_weights(drawn.sample.desc, {.x = shorter, .dy = drawn.sample.dy}, drawn.result);
  CHECK(operand.judgement == Judgement::does_not_fit);
  ConvDesc bad = drawn.sample.desc;
  bad.stride_h = 0;
  CHECK(conv2d_check::forward(bad, {}, drawn.result).judgement == Judgement::does_not_fit);
}

TEST_CASE("judge: NaN of the operands is expected where it reaches") {
  Drawn drawn(Pass::forward);
  drawn.sample.x[0] = std::numeric_limits<float>::quiet_NaN();
  plain_kernel(drawn.sample, drawn.result.data());
  CHECK(drawn.judge());
  for (float& value : drawn.result) value = std::isnan(value) ? 0 : value;
  CHECK(drawn.judge().judgement == Judgement::differs);
}

TEST_CASE("judge: two mistakes one after the other are named") {
  Drawn drawn(Pass::backward_weights);
  ConvDesc strided = drawn.sample.desc;
  strided.stride_h = strided.stride_w = 2;
  drawn = Drawn(Pass::backward_weights, strided);
  // The stride forgotten, and dw flipped along both axes.
  const Geometry g = resolve(strided).value();
  std::ranges::fill(drawn.result, 0.0F);
  for (std::int64_t n = 0; n < g.n; ++n)
    for (std::int64_t k = 0; k < g.k; ++k)
      for (std::int64_t i = 0; i < g.oh; ++i)
        for (std::int64_t j = 0; j < g.ow; ++j)
          for (std::int64_t c = 0; c < g.c; ++c)
            for (std::int64_t p = 0; p < 3; ++p)
              for (std::int64_t q = 0; q < 3; ++q) {
                const std::int64_t row = i + p - 1, col = j + q - 1;
                if (row < 0 || row >= g.h || col < 0 || col >= g.w) continue;
                drawn.result[static_cast<std::size_t>(((k * g.c + c) * 3 + 2 - p) * 3 + 2 - q)] +=
                    drawn.sample.x[static_cast<std::size_t>(((n * g.c + c) * g.h + row) * g.w + col)] *
                    drawn.sample.dy[static_cast<std::size_t>(((n * g.k + k) * g.oh + i) * g.ow + j)];
              }
  const Verdict verdict = drawn.judge();
  INFO(verdict.sentence);
  CHECK(verdict.judgement == Judgement::mistake);
  CHECK(verdict.in_sequence);
  CHECK(verdict.names.size() == 2);
  CHECK(std::ranges::find(verdict.names, "stride_forgotten") != verdict.names.end());
}
