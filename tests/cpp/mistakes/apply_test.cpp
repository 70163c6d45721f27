#include "mistakes/compare.hpp"

#include <catch2/catch_test_macros.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "conv2d/conv2d.hpp"
#include "mistakes/mistake.hpp"
#include "support/environment.hpp"
#include "support/matchers.hpp"
#include "support/random_problem.hpp"
#include "support/run.hpp"

using namespace conv2d;
using namespace conv2d::mistakes;
using namespace conv2d::test;

namespace {

int place_of(std::string_view name) {
  const std::span<const Mistake> known = list();
  for (std::size_t i = 0; i < known.size(); ++i) {
    if (known[i].name == name) return static_cast<int>(i);
  }
  FAIL("no mistake is called " << name);
  return -1;
}

struct Seen {
  AppliedMistake showing;
  std::vector<float> wrong, difference;

  [[nodiscard]] std::vector<std::string> alike() const {
    std::vector<std::string> names;
    for (const int place : showing.equivalent) names.emplace_back(list()[static_cast<std::size_t>(place)].name);
    return names;
  }
};

Seen seen(const Geometry& g, Pass pass, const Inputs& inputs, std::string_view name) {
  const auto size = static_cast<std::size_t>(g.result_size(pass));
  Seen made{.showing = {}, .wrong = std::vector<float>(size, -1), .difference = std::vector<float>(size, -1)};
  made.showing = apply(g, pass, inputs, place_of(name), made.wrong, made.difference).value();
  return made;
}

using Values = std::vector<float>;
using Names = std::vector<std::string>;

// As in worked_examples_test.cpp: dx = 3, 25, 30, 250, 300.
const Values kX{1, 2, 3, 4, 5}, kW{2, 3, 5}, kDy{1, 10, 100};
const Inputs kRow{.x = kX, .w = kW, .b = {}, .dy = kDy};

Geometry row() { return resolve({.w = 5, .kw = 3, .stride_w = 2, .padding = {.left = 1, .right = 1}}).value(); }

}  // namespace

TEST_CASE("a bug gives its wrong result and its differences", "[mistakes]") {
  const Seen turned = seen(row(), Pass::backward_data, kRow, "opposite_weight");
  CHECK(turned.showing.applicable);
  CHECK(turned.showing.differs);
  CHECK(turned.wrong == Values{3, 52, 30, 520, 300});
  CHECK(turned.difference == Values{0, 27, 0, 270, 0});
  CHECK(turned.alike() == Names{"opposite_weight"});
}

TEST_CASE("a bug that does not apply gives the correct result, and is equivalent to all others that do not apply",
          "[mistakes]") {
  const Seen batch = seen(row(), Pass::backward_bias, kRow, "one_image");
  CHECK_FALSE(batch.showing.applicable);
  CHECK_FALSE(batch.showing.differs);
  CHECK(batch.wrong == Values{111});
  CHECK(batch.difference == Values{0});
  CHECK(batch.alike() == Names{"opposite_weight", "unpadded_indices", "stride_forgotten", "strides_exchanged",
                               "remainder_first", "one_image", "divided_by_batch", "other_group", "transposed",
                               "dilation_forgotten", "bias_forgotten"});
}

TEST_CASE("bugs that give the same result here are equivalent", "[mistakes]") {
  // dx = 5 7 7 5. Without padding there are two windows; forgetting the shift adds a third and a fourth.
  const Values x{1, 2, 3, 4}, w{2, 3, 2}, dy{1, 1, 1, 1};
  const Geometry g = resolve({.w = 4, .kw = 3, .padding = {.left = 1, .right = 1}}).value();
  const Inputs inputs{.x = x, .w = w, .b = {}, .dy = dy};
  const Seen shifted = seen(g, Pass::backward_data, inputs, "unpadded_indices");
  CHECK(shifted.wrong == Values{2, 5, 7, 7});
  CHECK(shifted.difference == Values{-3, -2, 0, 2});
  CHECK(shifted.alike() == Names{"unpadded_indices"});
  // A symmetric kernel hides the flip: the bug applies but changes nothing.
  const Seen turned = seen(g, Pass::backward_data, inputs, "opposite_weight");
  CHECK(turned.showing.applicable);
  CHECK_FALSE(turned.showing.differs);
}

TEST_CASE("every bug is equivalent to itself, and its flag and differences match its result", "[mistakes]") {
  for (std::int64_t run = 0; run < property_runs() / 20; ++run) {
    Rng rng(property_seed() + static_cast<std::uint64_t>(run));
    const RandomProblem p = random_integer_problem(rng);
    const Geometry g = resolve(p.desc).value();
    const Inputs inputs{.x = p.tensors.x, .w = p.tensors.w, .b = p.tensors.b, .dy = p.tensors.dy};
    for (const Pass pass : kPasses) {
      const std::vector<Cell> right = compute(g, pass, inputs, nullptr, 0);
      for (const Mistake& mistake : bugs()) {
        INFO(mistake.name << " " << to_string(pass) << " " << to_string(p.desc));
        const Seen made = seen(g, pass, inputs, mistake.name);
        bool self = false, differs = false, off = true;
        for (const int place : made.showing.equivalent) self = self || place == place_of(mistake.name);
        for (std::size_t i = 0; i < right.size(); ++i) {
          const double difference = static_cast<double>(made.wrong[i]) - right[i].sum;
          differs = differs || made.difference[i] != 0;
          off = off && std::abs(made.difference[i] - difference) <= 1e-5 * (1 + right[i].magnitude);
        }
        REQUIRE(self);
        REQUIRE(differs == made.showing.differs);
        REQUIRE(off);
        if (!made.showing.applicable) REQUIRE_FALSE(made.showing.differs);
      }
    }
  }
}

TEST_CASE("a gradient check counts the wrong elements and finds the worst", "[mistakes]") {
  const Values measured{0, 100, -100, 1e-4F};
  const auto check = [&](const Values& gradient) {
    const GradientComparison checked = compare_gradient(gradient, measured).value();
    return std::pair(checked.failed, checked.worst);
  };
  using Check = std::pair<std::int64_t, std::int64_t>;
  CHECK(check({0, 100, -100, 1e-4F}) == Check(0, -1));
  CHECK(check({1e-4F, 100.0005F, -99.9995F, 0}) == Check(0, -1));
  CHECK(check({0, 101, -110, 5}) == Check(3, 2));
  CHECK_THAT(compare_gradient(Values{1}, measured), Fails(ErrorCode::length_mismatch));
  CHECK(compare_gradient(Values{0, 0}, Values{0, 0}).value().failed == 0);
}

TEST_CASE("invalid input is an error", "[mistakes]") {
  Values five(5);
  const auto code = [&](int place, std::span<float> wrong, std::span<float> difference, const Inputs& inputs) {
    return apply(row(), Pass::backward_data, inputs, place, wrong, difference).status().code;
  };
  CHECK(code(0, five, five, kRow) == ErrorCode::ok);
  CHECK(code(-1, five, five, kRow) == ErrorCode::invalid_argument);
  CHECK(code(static_cast<int>(bugs().size()), five, five, kRow) == ErrorCode::invalid_argument);
  CHECK(code(0, std::span(five).first(4), five, kRow) == ErrorCode::length_mismatch);
  CHECK(code(0, five, std::span(five).first(4), kRow) == ErrorCode::length_mismatch);
  CHECK(code(0, five, five, {.x = kX, .w = kW, .b = {}, .dy = {}}) == ErrorCode::length_mismatch);
}
