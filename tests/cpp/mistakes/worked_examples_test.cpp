#include <catch2/catch_test_macros.hpp>
#include <string_view>
#include <vector>

#include "conv2d/conv_desc.hpp"
#include "mistakes/mistake.hpp"

using namespace conv2d;

// Every mistake on a row of at most six elements, small enough to work out on paper.

namespace {

struct Problem {
  ConvDesc desc;
  std::vector<float> x, w, b, dy;
};

const Problem kRow{.desc = {.w = 5, .kw = 3, .stride_h = 1, .stride_w = 2, .padding = {.left = 1, .right = 1}},
                   .x = {1, 2, 3, 4, 5},
                   .w = {2, 3, 5},
                   .b = {},
                   .dy = {1, 10, 100}};

using Values = std::vector<double>;

/// The result with a mistake; the correct result if the name is "".
Values with(std::string_view name, const Problem& problem, Pass pass, int way = 0) {
  const Geometry g = resolve(problem.desc).value();
  const mistakes::Mistake* made = nullptr;
  for (const mistakes::Mistake& each : mistakes::list()) {
    if (each.name == name) made = &each;
  }
  REQUIRE((made != nullptr) == (name != ""));
  if (made != nullptr) REQUIRE(way < made->variants(g, pass));
  Values values;
  for (const mistakes::Cell& cell :
       mistakes::compute(g, pass, {.x = problem.x, .w = problem.w, .b = problem.b, .dy = problem.dy}, made, way)) {
    values.push_back(cell.sum);
  }
  return values;
}

constexpr Pass kY = Pass::forward, kDx = Pass::backward_data, kDw = Pass::backward_weights, kDb = Pass::backward_bias;

}  // namespace

TEST_CASE("without a mistake the results of the row are correct", "[mistakes]") {
  CHECK(with("", kRow, kY) == Values{13, 33, 23});
  CHECK(with("", kRow, kDx) == Values{3, 25, 30, 250, 300});
  CHECK(with("", kRow, kDw) == Values{420, 531, 42});
  CHECK(with("", kRow, kDb) == Values{111});
}

TEST_CASE("mistakes on the row match results worked out by hand", "[mistakes]") {
  CHECK(with("opposite_weight", kRow, kY) == Values{7, 27, 35});
  CHECK(with("opposite_weight", kRow, kDx) == Values{3, 52, 30, 520, 300});
  CHECK(with("opposite_weight", kRow, kDw) == Values{42, 531, 420});

  CHECK(with("averaged", kRow, kDx) == Values{3, 12.5, 30, 125, 300});
  CHECK(with("averaged", kRow, kDx, 1) == Values{1, 25.0 / 3, 10, 250.0 / 3, 100});
  CHECK(with("averaged", kRow, kDw) == Values{210, 177, 21});
  CHECK(with("averaged", kRow, kDw, 1) == Values{140, 177, 14});
  CHECK(with("averaged", kRow, kDb) == Values{37});
  CHECK(with("averaged", kRow, kY) == Values{6.5, 11, 11.5});
  CHECK(with("averaged", kRow, kY, 1) == Values{13.0 / 3, 11, 23.0 / 3});

  CHECK(with("padding_forgotten", kRow, kY) == Values{23, 43, 0});
  CHECK(with("padding_forgotten", kRow, kDx) == Values{2, 3, 25, 30, 50});
  CHECK(with("padding_forgotten", kRow, kDw) == Values{31, 42, 53});
  CHECK(with("padding_forgotten", kRow, kDb) == Values{11});

  CHECK(with("unpadded_indices", kRow, kY) == Values{23, 43, 10});
  CHECK(with("unpadded_indices", kRow, kDx) == Values{2, 3, 25, 30, 250});
  CHECK(with("unpadded_indices", kRow, kDw) == Values{531, 42, 53});

  CHECK(with("stride_forgotten", kRow, kY) == Values{13, 23, 33});
  CHECK(with("stride_forgotten", kRow, kDx) == Values{23, 235, 350, 500, 0});

  CHECK(with("assigned", kRow, kY) == Values{10, 20, 0});
  CHECK(with("assigned", kRow, kY, 1) == Values{10, 20, 15});
  CHECK(with("assigned", kRow, kDx) == Values{3, 20, 30, 200, 300});
  CHECK(with("assigned", kRow, kDw) == Values{400, 500, 0});
  CHECK(with("assigned", kRow, kDw, 1) == Values{400, 500, 40});
  CHECK(with("assigned", kRow, kDb) == Values{100});
}

TEST_CASE("a remainder on the wrong side matches results worked out by hand", "[mistakes]") {
  Problem longer = kRow;
  longer.desc.w = 6;
  longer.x = {1, 2, 3, 4, 5, 6};
  CHECK(with("", longer, kDx) == Values{3, 25, 30, 250, 300, 500});
  CHECK(with("remainder_first", longer, kDx) == Values{2, 3, 25, 30, 250, 300});
  CHECK(with("remainder_first", longer, kDw) == Values{531, 642, 53});
}

TEST_CASE("exchanged strides match results worked out by hand", "[mistakes]") {
  const Problem square{
      .desc = {.h = 3, .w = 3, .stride_h = 2}, .x = {0, 1, 2, 3, 4, 5, 6, 7, 8}, .w = {1}, .b = {}, .dy = {}};
  CHECK(with("", square, kY) == Values{0, 1, 2, 6, 7, 8});
  CHECK(with("strides_exchanged", square, kY) == Values{0, 2, 0, 3, 5, 0});
}

TEST_CASE("mistakes with a batch match results worked out by hand", "[mistakes]") {
  const Problem two{.desc = {.n = 2}, .x = {3, 5}, .w = {1}, .b = {}, .dy = {2, 7}};
  CHECK(with("", two, kDw) == Values{41});
  CHECK(with("one_image", two, kDw, 0) == Values{6});
  CHECK(with("one_image", two, kDw, 1) == Values{35});
  CHECK(with("one_image", two, kDb, 1) == Values{7});
  CHECK(with("divided_by_batch", two, kDw) == Values{20.5});
  CHECK(with("divided_by_batch", two, kDb) == Values{4.5});
  CHECK(with("averaged", two, kDb, 1) == Values{4.5});
  CHECK(with("averaged", two, kDb, 2) == Values{9});
}

TEST_CASE("mistakes with groups, dilation, bias, rows and columns match results worked out by hand", "[mistakes]") {
  const Problem groups{.desc = {.c = 2, .k = 2, .groups = 2}, .x = {3, 5}, .w = {2, 7}, .b = {}, .dy = {}};
  CHECK(with("", groups, kY) == Values{6, 35});
  CHECK(with("other_group", groups, kY) == Values{10, 21});

  const Problem dilated{
      .desc = {.w = 5, .kw = 2, .dilation_w = 3}, .x = {1, 2, 3, 4, 5}, .w = {2, 3}, .b = {10}, .dy = {}};
  CHECK(with("", dilated, kY) == Values{24, 29});
  CHECK(with("dilation_forgotten", dilated, kY) == Values{18, 23});
  CHECK(with("bias_forgotten", dilated, kY) == Values{14, 19});

  const Problem square{
      .desc = {.h = 2, .w = 2, .kh = 2, .kw = 2}, .x = {1, 10, 100, 1000}, .w = {1, 2, 3, 4}, .b = {}, .dy = {}};
  CHECK(with("", square, kY) == Values{4321});
  CHECK(with("transposed", square, kY) == Values{4231});
}
