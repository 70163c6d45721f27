#include <catch2/catch_test_macros.hpp>
#include <string>
#include <vector>

#include "conv2d/conv2d.hpp"
#include "support/compare.hpp"
#include "support/golden.hpp"
#include "support/json.hpp"
#include "support/matchers.hpp"
#include "support/run.hpp"

using namespace conv2d;
using namespace conv2d::test;

namespace {

std::vector<double> numbers(const Json& array) {
  std::vector<double> values;
  for (const Json& item : array.items()) values.push_back(item.as_double());
  return values;
}

std::int64_t integer(const Json& array, std::size_t index) { return array.items().at(index).as_int(); }

/// "0, 1, 2, ... row-major" counts up from 0, "12, 11, 10, ... row-major" counts down from 12; "ones" is all ones.
std::vector<float> by_rule(const std::string& rule, std::int64_t size) {
  std::vector<float> values(static_cast<std::size_t>(size), 1.0f);
  if (rule == "ones") return values;
  const float first = std::stof(rule);
  const float step = std::stof(rule.substr(rule.find(',') + 1)) - first;
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = first + step * static_cast<float>(i);
  return values;
}

ConvDesc desc_of(const Json& c) {
  const Json &x = c.at("x_shape"), &w = c.at("w_shape"), &stride = c.at("stride"), &dilation = c.at("dilation");
  const Json& padding = c.at("padding");
  return {.n = integer(x, 0),
          .h = integer(x, 1),
          .w = integer(x, 2),
          .c = integer(x, 3),
          .k = integer(w, 3),
          .kh = integer(w, 0),
          .kw = integer(w, 1),
          .stride_h = integer(stride, 0),
          .stride_w = integer(stride, 1),
          .dilation_h = integer(dilation, 0),
          .dilation_w = integer(dilation, 1),
          .groups = c.at("groups").as_int(),
          .padding = {integer(padding, 0), integer(padding, 1), integer(padding, 2), integer(padding, 3)}};
}

}  // namespace

TEST_CASE("every algorithm gives the exact results of the ten convolutions of the notebook") {
  const Json notebook = golden("notebook.json");
  REQUIRE(notebook.at("cases").items().size() == 10);
  for (const Json& c : notebook.at("cases").items()) {
    CAPTURE(c.at("name").as_string());
    REQUIRE(c.at("layout").as_string() == "NHWC");
    const ConvDesc d = desc_of(c);
    const Geometry g = resolve(d).value();
    TensorValues tensors{.x = by_rule(c.at("x").as_string(), g.x_size),
                         .w = by_rule(c.at("w").as_string(), g.w_size),
                         .dy = by_rule(c.at("dy").as_string(), g.y_size)};
    if (!c.at("b").is_null()) {
      for (const double v : numbers(c.at("b"))) tensors.b.push_back(static_cast<float>(v));
    }
    const std::vector<double> expected[] = {numbers(c.at("y")), numbers(c.at("dx")), numbers(c.at("dw")),
                                            numbers(c.at("db"))};
    for (const Pass pass : kPasses) {
      for (const AlgorithmInfo& info : algorithms(g, pass)) {
        if (!info.supported) continue;
        CAPTURE(to_string(pass), std::string(info.name));
        const Outcome outcome = run(plan(g, pass, {.algorithm = info.name}).value(), tensors);
        REQUIRE_THAT(outcome.status, Succeeds());
        // Fractional transforms give whole numbers again after rounding.
        const Tolerance tolerance{.absolute = 0, .relative = sums_products(info) ? 0 : 1e-5};
        CHECK_THAT(outcome.out, Equals(expected[static_cast<std::size_t>(pass)], tolerance));
      }
    }
    double sum = 0;
    for (const float v : run(plan(g, Pass::forward, {.algorithm = "reference"}).value(), tensors).out) sum += v;
    CHECK(sum == c.at("sum_y").as_double());
  }
}
