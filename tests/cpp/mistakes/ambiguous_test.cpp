#include "mistakes/ambiguous.hpp"

#include <catch2/catch_test_macros.hpp>
#include <vector>

using namespace conv2d;
using namespace conv2d::mistakes;

// Rows of at most four cells, small enough to work out on paper.

namespace {

constexpr Pass kY = Pass::forward, kDx = Pass::backward_data;

Result<Ambiguity> of_y(const std::vector<float>& x, std::int64_t stride, std::int64_t cell) {
  const std::vector<float> w{2, 5};
  const ConvDesc desc{.w = static_cast<std::int64_t>(x.size()), .kw = 2, .stride_w = stride};
  return ambiguity(resolve(desc).value(), kY, {.x = x, .w = w, .b = {}, .dy = {}}, cell);
}

bool of_layer(std::string_view kind, const ConvDesc& desc, const std::vector<float>& x, const std::vector<float>& dy,
              std::int64_t cell) {
  const LayerProblem problem{.kind = kind, .options = {1}, .geometry = resolve(desc).value(), .x = x, .dy = dy};
  return ambiguity(problem, kDx, cell)->ambiguous;
}

const ConvDesc kPairs{.w = 4, .kw = 2};

}  // namespace

TEST_CASE("a forgotten stride that gives the right value is found") {
  // y[0,1] = 2*3 - 5*1 = 1. Stride forgotten: 2*x1 + 5*3. Flipped: 13. Averaged: 0.5. Last product: -5. Without
  // weights:
  // 2. Without signs: 11.
  CHECK(of_y({9, -7, 3, -1}, 2, 1)->ambiguous);
  CHECK_FALSE(of_y({9, 1, 3, -1}, 2, 1)->ambiguous);
}

TEST_CASE("a mistake counts where it changes another cell of the result") {
  // The first window is the same without the stride, the second one is not.
  CHECK(of_y({9, -1, 3, 1}, 2, 0)->ambiguous);
  // At stride 1 there is nothing to forget: y[0,0] = 2*9 - 5*1.
  CHECK_FALSE(of_y({9, -1, 3, 1}, 1, 0)->ambiguous);
}

TEST_CASE("a sum without a negative factor does not show that signs were left out") {
  // y[0,0] = 2*9 + 5*1.
  CHECK(of_y({9, 1, 3, 1}, 1, 0)->ambiguous);
}

TEST_CASE("a mistake is compared to three digits") {
  // y[0,1] = 2*300 - 5*100 = 100. Stride forgotten: 2*x1 + 1500 = 99.6 or 80.
  CHECK(of_y({9, -700.2F, 300, -100}, 2, 1)->ambiguous);
  CHECK_FALSE(of_y({9, -710, 300, -100}, 2, 1)->ambiguous);
}

TEST_CASE("the sign of dy shows a gate where it differs from the sign of x") {
  const std::vector<float> x{3, -1, 2, -1}, dy{5, 6, -8, -4};
  const auto at = [&](std::int64_t cell) { return of_layer("relu", {.w = 4}, x, dy, cell); };
  // Open, with dy above 0: the sign of dy gives the same.
  CHECK(at(0));
  // Closed: both mistakes give 6.
  CHECK_FALSE(at(1));
  // Open, with dy below 0: the sign of dy gives 0.
  CHECK_FALSE(at(2));
  CHECK(at(3));
}

TEST_CASE("windows that cancel hide to which cells of a pool dy belongs") {
  const std::vector<float> x{3, 1, 3, 2};
  // Cell 1 wins neither of its windows. All cells: 1 + 10, or 1 - 1.
  CHECK_FALSE(of_layer("max_pool", kPairs, x, {1, 10, 100}, 1));
  CHECK(of_layer("max_pool", kPairs, x, {1, -1, 100}, 1));
  // Cell 2 wins both: 110. The largest dy: 100, or 10 of 10 + 0.
  CHECK_FALSE(of_layer("max_pool", kPairs, x, {1, 10, 100}, 2));
  CHECK(of_layer("max_pool", kPairs, x, {1, 10, 0}, 2));
  // (1 + 10) / 2, and (1 - 1) / 2.
  CHECK_FALSE(of_layer("average_pool", kPairs, x, {1, 10, 100}, 1));
  CHECK(of_layer("average_pool", kPairs, x, {1, -1, 100}, 1));
}

TEST_CASE("an ambiguity is refused where a diagnosis is") {
  CHECK(of_y({9, 1, 3, 1}, 2, 2).status().code == ErrorCode::invalid_argument);
  CHECK(of_y({9, 1, 3, 1}, 2, -1).status().code == ErrorCode::invalid_argument);
  const std::vector<float> x{1, 2}, dy{1, 2};
  const LayerProblem problem{.kind = "relu", .geometry = resolve({.w = 2}).value(), .x = x, .dy = dy};
  CHECK(ambiguity(problem, Pass::backward_weights, 0).status().code == ErrorCode::invalid_argument);
  CHECK(ambiguity(problem, kDx, 2).status().code == ErrorCode::invalid_argument);
}
