#include "mistakes/layers.hpp"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <string_view>
#include <vector>

#include "conv2d/transposed.hpp"
#include "support/matchers.hpp"

using namespace conv2d;
using namespace conv2d::mistakes;
using namespace conv2d::test;

// Every mistake of a layer on a row of at most five cells, small enough to work out on paper.

namespace {

constexpr Pass kY = Pass::forward, kDx = Pass::backward_data;

struct Row {
  std::string_view kind;
  ConvDesc desc;
  std::vector<float> x, dy;
  LayerOptions options{1};  ///< average_pool: count_include_pad
  std::vector<float> w{}, b{};

  [[nodiscard]] LayerProblem problem() const {
    const bool is_transposed = kind == "conv_transpose";
    const auto more = [&](std::size_t o) { return static_cast<std::int64_t>(options[o]); };
    const Geometry g =
        is_transposed
            ? transposed::resolve({.windows = desc, .output_padding_h = more(0), .output_padding_w = more(1)}).value()
            : resolve(desc).value();
    return {.kind = kind,
            .options = options,
            .geometry = g,
            .x = x,
            .dy = dy,
            .w = w,
            .b = b,
            .is_transposed = is_transposed};
  }
};

const Row kGates{.kind = "relu", .desc = {.w = 4}, .x = {3, -1, 0, 2}, .dy = {5, 6, 7, -8}};
const Row kLeaky{.kind = "leaky_relu", .desc = {.w = 4}, .x = {3, -1, 0, 2}, .dy = {5, 6, 8, -8}, .options = {0.25}};
// Windows: (3, 1), (1, 3), (3, 2).
const Row kLargest{.kind = "max_pool", .desc = {.w = 4, .kw = 2}, .x = {3, 1, 3, 2}, .dy = {1, 10, 100}};
// Windows: (1, 2), (2, 3), (3, 4).
const Row kPeak{.kind = "max_pool", .desc = {.w = 4, .kw = 2}, .x = {1, 2, 3, 4}, .dy = {1, 10, 100}};
const Row kEqual{.kind = "max_pool", .desc = {.w = 3, .kw = 3}, .x = {4, 4, 1}, .dy = {5}};
const Row kMean{.kind = "average_pool", .desc = {.w = 4, .kw = 2}, .x = {3, 1, 3, 2}, .dy = {1, 10, 100}};
// Windows: (-, 3), (1, -).
const Row kPadded{.kind = "average_pool",
                  .desc = {.w = 2, .kw = 2, .stride_w = 2, .padding = {.left = 1, .right = 1}},
                  .x = {3, 1},
                  .dy = {4, 8}};
const Row kBelow{.kind = "max_pool",
                 .desc = {.w = 2, .kw = 2, .stride_w = 2, .padding = {.left = 1, .right = 1}},
                 .x = {-3, 1},
                 .dy = {}};

// All of y is 1, 10, 102, 20, 200, 0 and 5 more; the first is cut off.
const Row kStamps{.kind = "conv_transpose",
                  .desc = {.w = 2, .kw = 3, .stride_w = 2, .padding = {.left = 1}},
                  .x = {1, 2},
                  .dy = {1, 2, 3, 4, 5},
                  .options = {0, 1},
                  .w = {1, 10, 100},
                  .b = {5}};
// In HWIO: w of y[0] is 1, 2, of y[1] 3, 4.
const Row kMixed{
    .kind = "conv_transpose", .desc = {.c = 2, .k = 2}, .x = {1, 10}, .dy = {}, .options = {0, 0}, .w = {1, 2, 3, 4}};

/// The result with a mistake of this layer and pass; without one, the right result.
std::vector<float> with(std::string_view name, const Row& row, Pass pass) {
  const auto all = layer_mistakes();
  const auto mistake = std::ranges::find(all, name, &LayerMistake::name);
  if (!name.empty()) REQUIRE(mistake != all.end());
  if (!name.empty()) REQUIRE((mistake->kind == row.kind && mistake->pass == pass));
  const LayerProblem problem = row.problem();
  std::vector<float> out;
  for (std::int64_t cell = 0; cell < problem.result_size(pass); ++cell) {
    const double value = name.empty() ? right_value(problem, pass, cell) : mistake->value(problem, cell);
    out.push_back(static_cast<float>(value));
  }
  return out;
}

using Values = std::vector<float>;

}  // namespace

TEST_CASE("without a mistake the results of the layers are correct", "[mistakes][layers]") {
  CHECK(with("", kGates, kY) == Values{3, 0, 0, 2});
  CHECK(with("", kGates, kDx) == Values{5, 0, 0, -8});
  CHECK(with("", kLeaky, kY) == Values{3, -0.25F, 0, 2});
  CHECK(with("", kLeaky, kDx) == Values{5, 1.5F, 2, -8});
  CHECK(with("", kLargest, kY) == Values{3, 3, 3});
  CHECK(with("", kLargest, kDx) == Values{1, 0, 110, 0});
  CHECK(with("", kEqual, kDx) == Values{5, 0, 0});
  CHECK(with("", kMean, kY) == Values{2, 2, 2.5F});
  CHECK(with("", kMean, kDx) == Values{0.5F, 5.5F, 55, 50});
  CHECK(with("", kPadded, kY) == Values{1.5F, 0.5F});
  CHECK(with("", kPadded, kDx) == Values{2, 4});
  CHECK(with("", kBelow, kY) == Values{-3, 1});
  CHECK(with("", kStamps, kY) == Values{15, 107, 25, 205, 5});
  CHECK(with("", kStamps, kDx) == Values{210, 432});
  CHECK(with("", kMixed, kY) == Values{21, 43});
}

TEST_CASE("each mistake of a layer gives the value worked out by hand", "[mistakes][layers]") {
  CHECK(with("gate_forgotten", kGates, kDx) == Values{5, 6, 7, -8});
  CHECK(with("gate_of_dy", kGates, kDx) == Values{5, 6, 7, 0});
  CHECK(with("gate_at_zero", kGates, kDx) == Values{5, 0, 7, -8});
  CHECK(with("not_leaky", kLeaky, kY) == Values{3, 0, 0, 2});
  CHECK(with("sign_dropped", kLeaky, kY) == Values{3, 0.25F, 0, 2});
  CHECK(with("not_leaky_dx", kLeaky, kDx) == Values{5, 0, 0, -8});
  CHECK(with("slope_forgotten", kLeaky, kDx) == Values{5, 6, 8, -8});
  CHECK(with("slope_of_dy", kLeaky, kDx) == Values{5, 6, 8, -2});
  CHECK(with("times_y", kLeaky, kDx) == Values{15, -1.5F, 0, -16});
  CHECK(with("padding_wins", kBelow, kY) == Values{0, 1});
  CHECK(with("all_cells", kLargest, kDx) == Values{1, 11, 110, 100});
  CHECK(with("largest_dy", kLargest, kDx) == Values{1, 10, 100, 100});
  // Cell 2 of kLargest wins its two windows, with dy 10 and 100.
  CHECK(with("last_write", kLargest, kDx) == Values{1, 0, 100, 0});
  CHECK(with("first_write", kLargest, kDx) == Values{1, 0, 10, 0});
  // Cells 1 and 2 of kPeak win the first of their two windows, and the second one writes 0.
  CHECK(with("", kPeak, kDx) == Values{0, 1, 10, 100});
  CHECK(with("window_overwritten", kPeak, kDx) == Values{0, 0, 0, 100});
  CHECK(with("first_window_only", kLargest, kDx) == Values{1, 0, 0, 0});
  CHECK(with("all_ties", kEqual, kDx) == Values{5, 5, 0});
  CHECK(with("last_tie", kEqual, kDx) == Values{0, 5, 0});
  CHECK(with("shared_tie", kEqual, kDx) == Values{2.5F, 2.5F, 0});
  CHECK(with("divided", kLargest, kDx) == Values{0.5F, 0, 55, 0});
  CHECK(with("sum_not_mean", kMean, kY) == Values{4, 4, 5});
  CHECK(with("other_count", kPadded, kY) == Values{3, 1});
  CHECK(with("whole_dy", kMean, kDx) == Values{1, 11, 110, 100});
  CHECK(with("first_window_mean", kMean, kDx) == Values{0.5F, 0.5F, 0, 0});
  CHECK(with("last_mean", kMean, kDx) == Values{0.5F, 5, 50, 50});
  CHECK(with("other_count_of_dy", kPadded, kDx) == Values{4, 8});
  CHECK(with("kernel_flipped_twice", kStamps, kY) == Values{15, 206, 25, 7, 5});
  CHECK(with("output_padding_zero", kStamps, kY) == Values{15, 107, 25, 205, 0});
  CHECK(with("cut_at_the_end", kStamps, kY) == Values{6, 15, 107, 25, 205});
  CHECK(with("channels_of_w_swapped", kMixed, kY) == Values{31, 42});
  CHECK(with("kernel_flipped_dx", kStamps, kDx) == Values{12, 234});
}

TEST_CASE("a wrong number of a layer is explained by its mistake, and a right one is right", "[mistakes][layers]") {
  const Row* const rows[] = {&kGates, &kLeaky,  &kLargest, &kPeak,   &kEqual,
                             &kMean,  &kPadded, &kBelow,   &kStamps, &kMixed};
  const auto all = layer_mistakes();
  std::vector<int> seen(all.size());
  for (const Row* row : rows) {
    for (const Pass pass : {kY, kDx}) {
      if (pass == kDx && row->dy.empty()) continue;
      const Values right = with("", *row, pass);
      for (std::size_t i = 0; i < all.size(); ++i) {
        if (all[i].kind != row->kind || all[i].pass != pass) continue;
        const Values wrong = with(all[i].name, *row, pass);
        for (std::size_t t = 0; t < wrong.size(); ++t) {
          const auto cell = static_cast<std::int64_t>(t);
          const double value = static_cast<double>(wrong[t]);
          const Diagnosis found = diagnose(row->problem(), pass, cell, {.value = value, .precision = 0}).value();
          CHECK(found.right == (wrong[t] == right[t]));
          const bool named = std::ranges::count(found.explanations, static_cast<int>(i)) == 1;
          CHECK(named == !found.right);
          seen[i] += named ? 1 : 0;
        }
      }
      const double other = 12345;
      CHECK(diagnose(row->problem(), pass, 0, {.value = other, .precision = 0}).value().explanations.empty());
    }
  }
  CHECK(std::ranges::count(seen, 0) == 0);
}

TEST_CASE("mistakes of layers name what is wrong with their arguments", "[mistakes][layers]") {
  LayerProblem problem = kGates.problem();
  CHECK_THAT(diagnose(problem, Pass::backward_weights, 0, {}), Fails(ErrorCode::invalid_argument, "pass"));
  CHECK_THAT(diagnose(problem, kY, 4, {}), Fails(ErrorCode::invalid_argument, "cell"));
  problem.dy = {};
  CHECK_THAT(diagnose(problem, kY, 0, {}), Succeeds());
  CHECK_THAT(diagnose(problem, kDx, 0, {}), Fails(ErrorCode::length_mismatch, "dy"));
  problem.kind = "conv";
  CHECK_THAT(diagnose(problem, kY, 0, {}), Fails(ErrorCode::invalid_argument, "kind"));
}
