#include "race/loops.hpp"

#include <catch2/catch_test_macros.hpp>
#include <vector>

#include "support/environment.hpp"
#include "support/guarded_buffer.hpp"
#include "support/matchers.hpp"
#include "support/random_problem.hpp"

using namespace conv2d;
using namespace conv2d::test;

// The loops that the page races against the library must compute the same convolution.

namespace {

constexpr race::Order kOrders[]{race::Order::formula, race::Order::filters_last};
constexpr Pass kAll[]{Pass::forward, Pass::backward_data, Pass::backward_weights, Pass::backward_bias};

}  // namespace

TEST_CASE("the loops of the race are exact on integers, for every innermost loop", "[race]") {
  Rng rng(property_seed());
  int side_by_side = 0;
  for (int run = 0; run < 60; ++run) {
    const RandomProblem problem = random_integer_problem(rng);
    const Geometry g = resolve(problem.desc).value();
    const Oracle right = oracle(problem.desc, problem.sizes, problem.tensors);
    const auto& [x, w, b, dy] = problem.tensors;
    CHECK(race::supports(g, race::Order::formula));
    CHECK(race::supports(g, race::Order::filters_last) ==
          (g.layout == Layout::nhwc && g.weights_layout == WeightsLayout::hwio));
    for (const race::Order order : kOrders) {
      if (!race::supports(g, order)) continue;
      side_by_side += order == race::Order::filters_last ? 1 : 0;
      for (const Pass pass : kAll) {
        CAPTURE(run, static_cast<int>(pass), static_cast<int>(order));
        GuardedBuffer out(right.of(pass).value.size());
        race::loops(g, pass, order, {.x = x, .w = w, .b = b, .dy = dy}, out.span());
        CHECK_THAT(out.span(), Equals(right.of(pass).value));
        CHECK(out.intact());
      }
    }
  }
  CHECK(side_by_side > 0);
}

TEST_CASE("the memory walk writes every element and no other", "[race]") {
  for (const std::size_t length : {std::size_t{0}, std::size_t{1}, std::size_t{4096}, std::size_t{4097}}) {
    std::vector<float> a(length), b(length);
    std::vector<double> expected(length);
    for (std::size_t t = 0; t < length; ++t) {
      a[t] = static_cast<float>(t % 7);
      b[t] = static_cast<float>(t % 11);
      expected[t] = static_cast<double>(t % 7) + 0.5 * static_cast<double>(t % 11);
    }
    GuardedBuffer out(length);
    race::triad(a, b, 0.5F, out.span());
    CHECK_THAT(out.span(), Equals(expected));
    CHECK(out.intact());
  }
}
