#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <cstddef>
#include <string>
#include <vector>

#include "conv2d/conv2d.hpp"
#include "conv2d_check/check.hpp"
#include "support/golden.hpp"
#include "support/json.hpp"

using namespace conv2d;
using namespace conv2d::test;

// Gradients of NumPy and PyTorch programs with one wrong line, and right ones in few bits: tests/golden/README.md.

namespace {

std::vector<float> numbers(const Json& array) {
  std::vector<float> values;
  for (const Json& item : array.items()) values.push_back(static_cast<float>(item.as_double()));
  return values;
}

struct Case {
  explicit Case(const Json& json)
      : x(numbers(json.at("x"))),
        w(numbers(json.at("w"))),
        dy(numbers(json.at("dy"))),
        gradient(json.at("gradient").as_string()),
        desc(desc_of(json.at("problem"))) {}

  static ConvDesc desc_of(const Json& problem) {
    const auto number = [](const Json* list, std::size_t index, std::int64_t otherwise) {
      return list == nullptr ? otherwise : list->items().at(index).as_int();
    };
    const Json *stride = problem.find("stride"), *dilation = problem.find("dilation"),
               *padding = problem.find("padding");
    return {.layout = Layout::nchw,
            .n = problem.at("n").as_int(),
            .h = problem.at("h").as_int(),
            .w = problem.at("w").as_int(),
            .c = problem.at("c").as_int(),
            .k = problem.at("k").as_int(),
            .kh = problem.at("kh").as_int(),
            .kw = problem.at("kw").as_int(),
            .stride_h = number(stride, 0, 1),
            .stride_w = number(stride, 1, 1),
            .dilation_h = number(dilation, 0, 1),
            .dilation_w = number(dilation, 1, 1),
            .groups = problem.find("groups") == nullptr ? 1 : problem.at("groups").as_int(),
            .padding = {number(padding, 0, 0), number(padding, 1, 0), number(padding, 2, 0), number(padding, 3, 0)},
            .weights_layout = WeightsLayout::oihw};
  }
  [[nodiscard]] Pass pass() const {
    if (gradient == "dx") return Pass::backward_data;
    return gradient == "dw" ? Pass::backward_weights : Pass::backward_bias;
  }
  [[nodiscard]] conv2d_check::Verdict judge(const std::vector<float>& result) const {
    return conv2d_check::judge(desc, pass(), {.x = x, .w = w, .dy = dy}, result);
  }

  std::vector<float> x, w, dy;
  std::string gradient;
  ConvDesc desc;
};

Json cases() { return golden("wrong_gradients.json"); }

}  // namespace

TEST_CASE("thirty wrong gradients are named, and no right one is wrong", "[check]") {
  const Json all = cases();
  const std::vector<Json>& wrong = all.at("wrong").items();
  REQUIRE(wrong.size() == 30);
  std::int64_t names = 0;
  for (const Json& json : wrong) {
    const Case one(json);
    INFO(json.at("what").as_string());
    const conv2d_check::Verdict right = one.judge(numbers(json.at("right")));
    CHECK(right);
    CHECK(right.format == "float32");
    const conv2d_check::Verdict found = one.judge(numbers(json.at("wrong")));
    CAPTURE(found.sentence);
    CHECK(!found);
    CHECK(std::ranges::find(found.names, json.at("mistake").as_string()) != found.names.end());
    names += std::ssize(found.names);
  }
  // Nearly all are named without an alternative.
  CHECK(names <= std::ssize(wrong) + 3);
}

TEST_CASE("results in float16, bfloat16 and TF32 match, and the precision is recognized", "[check]") {
  const Json all = cases();
  const std::vector<Json>& right = all.at("right").items();
  REQUIRE(right.size() == 12);
  for (const Json& json : right) {
    const conv2d_check::Verdict verdict = Case(json).judge(numbers(json.at("result")));
    CAPTURE(verdict.sentence, json.at("as").as_string());
    CHECK(verdict);
    CHECK(verdict.format != "float32");
  }
}
