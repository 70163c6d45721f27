#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <string>

#include "check/layer_file.hpp"
#include "conv2d/reference.hpp"

using namespace conv2d_check;
using namespace conv2d_check::test;
using conv2d::ConvDesc;

// Operands that were printed with few decimals after the result was computed from all their digits: a right result is
// off by what printing changed, and a wrong one must not hide behind that.

namespace {

const ConvDesc kLayer{.layout = conv2d::Layout::nchw,
                      .n = 2,
                      .h = 9,
                      .w = 8,
                      .c = 3,
                      .k = 4,
                      .kh = 3,
                      .kw = 3,
                      .stride_h = 2,
                      .stride_w = 2,
                      .padding = {1, 1, 1, 1}};
constexpr Pass kPasses[]{Pass::forward, Pass::backward_data, Pass::backward_weights, Pass::backward_bias};

struct Printed {
  explicit Printed(int decimals) : file(conv_file(kLayer, 3)) {
    const float scale = std::pow(10.0F, static_cast<float>(decimals));
    for (const char* name : {"x", "w", "b", "dy"}) {
      for (float& value : file.values(name)) value = std::round(value * scale) / scale;
    }
  }
  [[nodiscard]] std::vector<float>& result(Pass pass) {
    constexpr const char* kNames[]{"y", "dx", "dw", "db"};
    return file.values(kNames[static_cast<std::size_t>(pass)]);
  }
  [[nodiscard]] Verdict judge(Pass pass, const std::vector<float>& result) {
    return conv2d_check::judge(
        kLayer, pass, {.x = file.values("x"), .w = file.values("w"), .b = file.values("b"), .dy = file.values("dy")},
        result);
  }

  File file;  ///< the results are those of the operands before they were printed
};

double rms_of(const std::vector<float>& values) {
  double square = 0;
  for (const float value : values) square += static_cast<double>(value) * value;
  return std::sqrt(square / static_cast<double>(values.size()));
}

/// Checks that no verdict says that the result is right.
void check_refused(Printed& printed, Pass pass, const std::vector<float>& wrong) {
  const Verdict verdict = printed.judge(pass, wrong);
  INFO(conv2d::to_string(pass) << ": " << verdict.sentence);
  CHECK_FALSE(verdict);
  CHECK(verdict.judgement != Judgement::cannot_tell);
}

}  // namespace

TEST_CASE("a result of operands that were printed later matches, and the verdict says so", "[check]") {
  for (const int decimals : {3, 4}) {
    Printed printed(decimals);
    for (const Pass pass : kPasses) {
      const Verdict verdict = printed.judge(pass, printed.result(pass));
      INFO(conv2d::to_string(pass) << ", " << decimals << ": " << verdict.sentence);
      CHECK(verdict);
      CHECK(verdict.reason == "the operands are printed with " + std::to_string(decimals) + " decimals");
    }
  }
}

TEST_CASE("two decimals hide small mistakes: no verdict", "[check]") {
  Printed printed(2);
  for (const Pass pass : kPasses) {
    const Verdict verdict = printed.judge(pass, printed.result(pass));
    INFO(conv2d::to_string(pass) << ": " << verdict.sentence);
    CHECK(verdict.judgement == Judgement::cannot_tell);
    CHECK(verdict.reason.find("printed with 2 decimals, which hides small mistakes") != std::string::npos);
  }
}

TEST_CASE("a wrong result beside printed operands is wrong", "[check]") {
  for (const int decimals : {3, 4, 5}) {
    Printed printed(decimals);
    for (const Pass pass : kPasses) {
      INFO(decimals << " decimals");
      const std::vector<float> right = printed.result(pass);
      const auto size = static_cast<float>(rms_of(right));
      std::vector<float> wrong = right;
      wrong[1] += 0.1F * size;  // one cell
      check_refused(printed, pass, wrong);
      wrong = right;
      for (float& value : wrong) value *= 1.1F;
      check_refused(printed, pass, wrong);
      wrong = right;
      for (float& value : wrong) value += 0.1F * size;
      check_refused(printed, pass, wrong);
      wrong = right;
      std::ranges::reverse(wrong);
      check_refused(printed, pass, wrong);
      std::ranges::fill(wrong, 0.0F);
      check_refused(printed, pass, wrong);
      for (float& value : wrong) value = size;
      check_refused(printed, pass, wrong);
    }
  }
}

TEST_CASE("a mistake beside printed operands is named", "[check]") {
  Printed printed(4);
  const conv2d::Geometry g = conv2d::resolve(kLayer).value();
  ConvDesc moved = kLayer;
  moved.padding = {0, 2, 0, 2};
  std::vector<float> dw(printed.result(Pass::backward_weights).size());
  File operands = conv_file(kLayer, 3);
  conv2d::reference::backward_weights<float>(conv2d::resolve(moved).value(), operands.values("x"),
                                             operands.values("dy"), dw);
  check_refused(printed, Pass::backward_weights, dw);
  // The gradient of a mean over the batch.
  dw = printed.result(Pass::backward_weights);
  for (float& value : dw) value /= static_cast<float>(g.n);
  const Verdict mean = printed.judge(Pass::backward_weights, dw);
  INFO(mean.sentence);
  CHECK(mean.judgement == Judgement::scaled);
  CHECK(mean.factor == 0.5);
}

TEST_CASE("operands of whole numbers or with one decimal were typed: the result belongs to them", "[check]") {
  for (const int decimals : {0, 1}) {
    Printed printed(decimals);
    for (const Pass pass : kPasses) {
      INFO(decimals);
      check_refused(printed, pass, printed.result(pass));
    }
  }
}

TEST_CASE("a weight decay smaller than what printing changed is found", "[check]") {
  Printed printed(3);
  std::vector<float> dw = printed.result(Pass::backward_weights);
  for (std::size_t i = 0; i < dw.size(); ++i) dw[i] += 5e-3F * printed.file.values("w")[i];
  check_refused(printed, Pass::backward_weights, dw);
}

TEST_CASE("operands of which printing left little do not excuse a wrong result", "[check]") {
  Printed printed(4);
  const conv2d::Geometry g = conv2d::resolve(kLayer).value();
  // Up to 0.001 in steps of 0.0001.
  for (const char* name : {"x", "w", "b", "dy"}) {
    for (float& value : printed.file.values(name)) value = std::round(value * 10) / 1e4F;
  }
  File& file = printed.file;
  namespace reference = conv2d::reference;
  reference::forward<float>(g, file.values("x"), file.values("w"), file.values("b"), file.values("y"));
  reference::backward_data<float>(g, file.values("dy"), file.values("w"), file.values("dx"));
  reference::backward_weights<float>(g, file.values("x"), file.values("dy"), file.values("dw"));
  reference::backward_bias<float>(g, file.values("dy"), file.values("db"));
  for (const Pass pass : kPasses) {
    std::vector<float> wrong = printed.result(pass);
    const std::vector<float> random = random_values(std::ssize(wrong), 77);
    for (std::size_t i = 0; i < wrong.size(); ++i) wrong[i] *= 1 + 0.1F * random[i];
    check_refused(printed, pass, wrong);
  }
}
