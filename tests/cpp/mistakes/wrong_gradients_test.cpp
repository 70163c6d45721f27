#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <cstddef>
#include <string>
#include <vector>

#include "conv2d/conv2d.hpp"
#include "mistakes/compare.hpp"
#include "mistakes/mistake.hpp"
#include "support/golden.hpp"
#include "support/json.hpp"

using namespace conv2d;
using namespace conv2d::mistakes;
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
        geometry(resolve(desc_of(json.at("problem"))).value()) {}

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
  [[nodiscard]] Inputs inputs() const { return {.x = x, .w = w, .b = {}, .dy = dy}; }
  /// The title of the first tolerance that all cells meet; "" if there is none.
  [[nodiscard]] std::string agreement(const std::vector<float>& result) const {
    std::vector<float> expected, magnitudes, difference(result.size());
    for (const Cell& cell : compute(geometry, pass(), inputs(), nullptr, 0)) {
      expected.push_back(static_cast<float>(cell.sum));
      magnitudes.push_back(static_cast<float>(cell.magnitude));
    }
    const ResultComparison compared = compare(result, expected, magnitudes, difference).value();
    for (std::size_t i = 0; i < compared.within.size(); ++i) {
      if (std::cmp_equal(compared.within[i], result.size())) return std::string(tolerances()[i].title);
    }
    return "";
  }

  std::vector<float> x, w, dy;
  std::string gradient;
  Geometry geometry;
};

Json cases() { return golden("wrong_gradients.json"); }

}  // namespace

TEST_CASE("thirty wrong gradients are named, and no right one is wrong", "[mistakes]") {
  const Json all = cases();
  const std::vector<Json>& wrong = all.at("wrong").items();
  REQUIRE(wrong.size() == 30);
  std::int64_t names = 0;
  for (const Json& json : wrong) {
    const Case one(json);
    INFO(json.at("what").as_string());
    CHECK(one.agreement(numbers(json.at("right"))) == tolerances().front().title);
    const std::vector<float> result = numbers(json.at("wrong"));
    CHECK(one.agreement(result).empty());
    const Explanation found = explain(one.geometry, one.pass(), one.inputs(), result).value();
    std::string list_of_names;
    bool is_named = false;
    for (const int place : found.mistakes) {
      const std::string_view name = list()[static_cast<std::size_t>(place)].name;
      list_of_names += std::string(name) + ' ';
      is_named = is_named || name == json.at("mistake").as_string();
    }
    CAPTURE(list_of_names);
    CHECK(is_named);
    names += std::ssize(found.mistakes);
  }
  // Nearly all are named without an alternative.
  CHECK(names <= std::ssize(wrong) + 3);
}

TEST_CASE("results in float16, bfloat16 and TF32 match, and the precision is recognized", "[mistakes]") {
  const Json all = cases();
  const std::vector<Json>& right = all.at("right").items();
  REQUIRE(right.size() == 12);
  for (const Json& json : right) CHECK(Case(json).agreement(numbers(json.at("result"))) == json.at("as").as_string());
}
