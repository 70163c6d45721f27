#include <algorithm>
#include <array>
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

/// The cells with a mistake; the correct ones if the name is "".
std::vector<mistakes::Cell> cells_with(std::string_view name, const Problem& problem, Pass pass, int way = 0) {
  const Geometry g = resolve(problem.desc).value();
  const mistakes::Mistake* made = nullptr;
  for (const mistakes::Mistake& each : mistakes::list()) {
    if (each.name == name) made = &each;
  }
  REQUIRE((made != nullptr) == (name != ""));
  if (made != nullptr) REQUIRE(way < made->variants(g, pass));
  return mistakes::compute(g, pass, {.x = problem.x, .w = problem.w, .b = problem.b, .dy = problem.dy}, made, way);
}

Values with(std::string_view name, const Problem& problem, Pass pass, int way = 0) {
  Values values;
  for (const mistakes::Cell& cell : cells_with(name, problem, pass, way)) values.push_back(cell.sum);
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

TEST_CASE("each cell has the sums of its terms, of their magnitudes and of their squares", "[mistakes]") {
  using Sums = std::array<double, 3>;
  const auto first = [](std::string_view name, const Problem& problem, Pass pass, int way = 0) {
    const mistakes::Cell cell = cells_with(name, problem, pass, way).at(0);
    return Sums{cell.sum, cell.magnitude, cell.squares};
  };
  const Problem signs{.desc = {.w = 3, .kw = 2}, .x = {1, -2, 3}, .w = {2, -3}, .b = {-10}, .dy = {-1, 10}};
  // Terms of y[0,0]: 2, 6 and the bias; of dw[0,0]: -1 and -20.
  CHECK(first("", signs, kY) == Sums{-2, 18, 140});
  CHECK(first("bias_forgotten", signs, kY) == Sums{8, 8, 40});
  CHECK(first("", signs, kDw) == Sums{-21, 21, 401});
  // A division divides all three; a term that was overwritten counts in none.
  CHECK(first("averaged", signs, kDw) == Sums{-10.5, 10.5, 100.25});
  CHECK(first("assigned", signs, kDw) == Sums{-20, 20, 400});
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
  CHECK(with("assigned_by_tap", kRow, kDx) == Values{3, 5, 30, 50, 300});
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

  Problem slopes_of_groups = groups;
  slopes_of_groups.dy = {1, 10};
  CHECK(with("first_group", groups, kY, 0) == Values{6, 21});
  CHECK(with("first_group", groups, kY, 1) == Values{6, 10});
  CHECK(with("first_group", groups, kY, 2) == Values{41, 0});
  CHECK(with("", slopes_of_groups, kDx) == Values{2, 70});
  CHECK(with("first_group", slopes_of_groups, kDx, 2) == Values{2, 7});
  CHECK(with("groups_forgotten", groups, kY) == Values{16, 56});
  CHECK(with("groups_forgotten", slopes_of_groups, kDx) == Values{72, 72});
  CHECK(with("groups_forgotten", slopes_of_groups, kDw) == Values{8, 80});

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

TEST_CASE("mistakes of learners match results worked out by hand", "[mistakes]") {
  const Problem short_row{.desc = {.w = 3, .kw = 3, .padding = {.left = 1, .right = 1}},
                          .x = {},
                          .w = {2, 3, 5},
                          .b = {},
                          .dy = {1, 10, 100}};
  CHECK(with("", short_row, kDx) == Values{23, 235, 350});
  CHECK(with("opposite_weight", short_row, kDx) == Values{53, 532, 320});
  CHECK(with("reading_order", short_row, kDx) == Values{32, 532, 530});
  CHECK(with("reading_order", short_row, kDx, 1) == Values{32, 532, 320});
  CHECK(with("reading_order", kRow, kDx) == Values{3, 52, 30, 520, 300});
  CHECK(with("reading_order", kRow, kDx, 1) == Values{2, 32, 20, 320, 200});

  const Problem square{
      .desc = {.h = 2, .w = 2, .kh = 2, .kw = 2}, .x = {1, 10, 100, 1000}, .w = {1, 2, 3, 4}, .b = {}, .dy = {}};
  CHECK(with("one_axis_flipped", square, kY) == Values{2143});
  CHECK(with("one_axis_flipped", square, kY, 1) == Values{3412});

  CHECK(with("dy_as_ones", kRow, kDx) == Values{3, 7, 3, 7, 3});
  CHECK(with("dy_as_ones", kRow, kDw) == Values{6, 9, 6});
  CHECK(with("dy_as_ones", kRow, kDw, 1) == Values{2, 3, 2});
  CHECK(with("dy_as_ones", kRow, kDb) == Values{3});

  const Problem mixed{.desc = {.c = 2, .k = 2}, .x = {3, 5}, .w = {2, 7, 11, 13}, .b = {}, .dy = {1, 10}};
  CHECK(with("", mixed, kY) == Values{61, 86});
  CHECK(with("one_channel", mixed, kY) == Values{6, 21});
  CHECK(with("one_channel", mixed, kY, 1) == Values{55, 65});
  CHECK(with("", mixed, kDx) == Values{72, 141});
  CHECK(with("one_channel", mixed, kDx) == Values{2, 11});
  CHECK(with("one_channel", mixed, kDx, 1) == Values{70, 130});
  CHECK(with("channels_as_filters", mixed, kY) == Values{41, 98});

  // Of many channels the first three and the last are tried.
  const Problem deep{.desc = {.c = 6}, .x = {1, 2, 3, 4, 5, 6}, .w = {1, 1, 1, 1, 1, 1}, .b = {}, .dy = {}};
  CHECK(with("one_channel", deep, kY, 2) == Values{3});
  CHECK(with("one_channel", deep, kY, 3) == Values{6});
}

TEST_CASE("paddings that are not zero match results worked out by hand", "[mistakes]") {
  CHECK(with("mirrored_padding", kRow, kY) == Values{17, 33, 43});
  CHECK(with("mirrored_padding", kRow, kDx) == Values{3, 27, 30, 750, 300});
  CHECK(with("mirrored_padding", kRow, kDw) == Values{422, 531, 442});
  CHECK(with("repeated_padding", kRow, kY) == Values{15, 33, 48});
  CHECK(with("repeated_padding", kRow, kDx) == Values{5, 25, 30, 250, 800});
  CHECK(with("repeated_padding", kRow, kDw) == Values{421, 531, 542});
  CHECK(with("circular_padding", kRow, kY) == Values{23, 33, 28});
  CHECK(with("circular_padding", kRow, kDx) == Values{503, 25, 30, 250, 302});
  CHECK(with("circular_padding", kRow, kDw) == Values{425, 531, 142});

  const Problem left{.desc = {.w = 3, .kw = 2, .padding = {.left = 1}}, .x = {1, 2, 3}, .w = {2, 3}, .b = {}, .dy = {}};
  CHECK(with("", left, kY) == Values{3, 8, 13});
  CHECK(with("padding_sides_exchanged", left, kY) == Values{8, 13, 6});
}

TEST_CASE("mistakes of programs match results worked out by hand", "[mistakes]") {
  CHECK(with("stride_as_dilation", kRow, kY) == Values{26, 36, 16});
  CHECK(with("mean_or_sum", kRow, kDw) == Values{140, 177, 14});
  CHECK(with("mean_or_sum", kRow, kDx, 1) == Values{9, 75, 90, 750, 900});

  const Problem channels{
      .desc = {.c = 4, .k = 2, .groups = 2}, .x = {1, 10, 100, 1000}, .w = {1, 2, 3, 4}, .b = {}, .dy = {}};
  CHECK(with("", channels, kY) == Values{31, 4200});
  CHECK(with("interleaved_groups", channels, kY) == Values{301, 4020});
  const Problem filters{
      .desc = {.c = 2, .k = 4, .groups = 2}, .x = {1, 10}, .w = {2, 3, 5, 7}, .b = {100, 200, 300, 400}, .dy = {}};
  CHECK(with("", filters, kY) == Values{102, 203, 350, 470});
  CHECK(with("interleaved_groups", filters, kY, 1) == Values{102, 350, 203, 470});

  const Problem pixels{.desc = {.w = 3, .c = 2}, .x = {1, 2, 3, 4, 5, 6}, .w = {10, 1}, .b = {}, .dy = {}};
  CHECK(with("", pixels, kY) == Values{12, 34, 56});
  CHECK(with("x_layout", pixels, kY) == Values{14, 25, 36});
  CHECK(with("x_layout", pixels, kY, 1) == Values{13, 52, 46});
  const Problem weights{.desc = {.c = 2, .k = 3}, .x = {10, 1}, .w = {1, 2, 3, 4, 5, 6}, .b = {}, .dy = {}};
  CHECK(with("", weights, kY) == Values{14, 25, 36});
  CHECK(with("w_layout", weights, kY) == Values{12, 34, 56});
  CHECK(with("w_layout", weights, kY, 1) == Values{15, 43, 26});
  CHECK(with("w_layout", weights, kY, 6) == Values{12, 34, 56});
  CHECK(with("w_layout", weights, kY, 7) == Values{15, 43, 26});
  const Problem slopes{.desc = {.w = 3, .k = 2}, .x = {1, 10, 100}, .w = {1, 1}, .b = {}, .dy = {1, 2, 3, 4, 5, 6}};
  CHECK(with("", slopes, kDw) == Values{531, 642});
  CHECK(with("y_layout", slopes, kDw) == Values{321, 654});
}

TEST_CASE("dy in reverse, no weights and no signs match results worked out by hand", "[mistakes]") {
  CHECK(with("dy_flipped", kRow, kDw) == Values{24, 135, 240});
  CHECK(with("weights_left_out", kRow, kY) == Values{3, 9, 9});
  CHECK(with("weights_left_out", kRow, kDx) == Values{1, 11, 10, 110, 100});

  const Problem signs{.desc = {.w = 3, .kw = 2}, .x = {1, -2, 3}, .w = {2, -3}, .b = {}, .dy = {-1, 10}};
  CHECK(with("", signs, kY) == Values{8, -13});
  CHECK(with("signs_left_out", signs, kY) == Values{8, 13});
  CHECK(with("", signs, kDx) == Values{-2, 23, -30});
  CHECK(with("signs_left_out", signs, kDx) == Values{2, 23, 30});
  CHECK(with("", signs, kDw) == Values{-21, 32});
  CHECK(with("signs_left_out", signs, kDw) == Values{21, 32});
  CHECK(with("signs_left_out", signs, kDb) == Values{11});
}

TEST_CASE("missing windows match results worked out by hand", "[mistakes]") {
  CHECK(with("first_window_only", kRow, kY) == Values{13, 0, 0});
  CHECK(with("first_window_only", kRow, kDx) == Values{3, 5, 0, 0, 0});
  CHECK(with("first_window_only", kRow, kDw) == Values{0, 1, 2});
  CHECK(with("first_window_only", kRow, kDb) == Values{1});
  CHECK(with("range_without_one", kRow, kY) == Values{13, 33, 0});
  CHECK(with("range_without_one", kRow, kDx) == Values{3, 25, 30, 50, 0});
  CHECK(with("range_without_one", kRow, kDw) == Values{20, 31, 42});
  CHECK(with("range_without_one", kRow, kDb) == Values{11});

  const Problem grids{.desc = {.n = 2, .h = 2, .w = 2}, .x = {1, 2, 3, 4, 5, 6, 7, 8}, .w = {1}, .b = {10}, .dy = {}};
  CHECK(with("first_window_only", grids, kY, 0) == Values{11, 0, 0, 0, 15, 0, 0, 0});
  CHECK(with("first_window_only", grids, kY, 1) == Values{11, 0, 0, 0, 0, 0, 0, 0});
  CHECK(with("first_window_only", grids, kY, 2) == Values{11, 12, 0, 0, 15, 16, 0, 0});
  CHECK(with("first_window_only", grids, kY, 3) == Values{11, 0, 13, 0, 15, 0, 17, 0});
  CHECK(with("range_without_one", grids, kY, 0) == Values{11, 0, 0, 0, 15, 0, 0, 0});
  CHECK(with("range_without_one", grids, kY, 1) == Values{11, 12, 0, 0, 15, 16, 0, 0});
  CHECK(with("range_without_one", grids, kY, 2) == Values{11, 0, 13, 0, 15, 0, 17, 0});
}

TEST_CASE("rows and columns mixed up match results worked out by hand", "[mistakes]") {
  const Problem top{.desc = {.h = 2, .w = 2, .kw = 2, .padding = {.top = 1, .right = 1}},
                    .x = {1, 2, 3, 4},
                    .w = {1, 10},
                    .b = {},
                    .dy = {}};
  CHECK(with("", top, kY) == Values{0, 0, 21, 2, 43, 4});
  CHECK(with("paddings_exchanged", top, kY) == Values{10, 21, 30, 43, 0, 0});
  Problem bottom = top;
  bottom.desc.padding = {.bottom = 1, .right = 1};
  CHECK(with("", bottom, kY) == Values{21, 2, 43, 4, 0, 0});
  CHECK(with("paddings_exchanged", bottom, kY, 1) == Values{10, 21, 30, 43, 0, 0});

  const Problem corner{
      .desc = {.h = 2, .w = 2, .padding = {1, 0, 1, 0}}, .x = {1, 2, 3, 4}, .w = {1}, .b = {}, .dy = {}};
  CHECK(with("", corner, kY) == Values{0, 0, 0, 0, 1, 2, 0, 3, 4});
  CHECK(with("axis_unpadded", corner, kY, 0) == Values{0, 1, 2, 0, 3, 4, 0, 0, 0});
  CHECK(with("axis_unpadded", corner, kY, 1) == Values{0, 0, 0, 1, 2, 0, 3, 4, 0});

  // Stride 1 and 2, padding 0 and 1, kernel 1 and 3. The second row of x does not exist.
  CHECK(with("rows_for_columns", kRow, kY, 0) == Values{13, 23, 33});
  CHECK(with("rows_for_columns", kRow, kY, 1) == Values{13, 33, 23});
  CHECK(with("rows_for_columns", kRow, kY, 2) == Values{23, 43, 10});
  CHECK(with("rows_for_columns", kRow, kY, 3) == Values{0, 0, 0});
  CHECK(with("rows_for_columns", kRow, kY, 4) == Values{0, 4, 8});
  CHECK(with("rows_for_columns", kRow, kY, 5) == Values{23, 33, 43});
  CHECK(with("rows_for_columns", kRow, kY, 6) == Values{0, 0, 0});
  const Problem dilated{
      .desc = {.w = 5, .kw = 2, .dilation_w = 3}, .x = {1, 2, 3, 4, 5}, .w = {2, 3}, .b = {}, .dy = {}};
  CHECK(with("rows_for_columns", dilated, kY, 0) == Values{8, 13});
}

TEST_CASE("a kernel rotated once or flipped along all axes matches results worked out by hand", "[mistakes]") {
  const Problem square{
      .desc = {.h = 2, .w = 2, .kh = 2, .kw = 2}, .x = {1, 10, 100, 1000}, .w = {1, 2, 3, 4}, .b = {}, .dy = {}};
  // Rotated clockwise, w is 3, 1, 4, 2, and 2, 4, 1, 3 in the other direction.
  CHECK(with("rotated_once", square, kY, 0) == Values{2413});
  CHECK(with("rotated_once", square, kY, 1) == Values{3142});

  const Problem mixed{.desc = {.c = 2, .k = 2}, .x = {3, 5}, .w = {2, 7, 11, 13}, .b = {}, .dy = {}};
  CHECK(with("all_axes_flipped", mixed, kY) == Values{74, 43});
  const Problem two{.desc = {.w = 2, .k = 2, .kw = 2}, .x = {1, 10}, .w = {1, 2, 3, 4}, .b = {}, .dy = {}};
  CHECK(with("", two, kY) == Values{31, 42});
  CHECK(with("all_axes_flipped", two, kY, 0) == Values{42, 31});
  CHECK(with("all_axes_flipped", two, kY, 1) == Values{24, 13});
}

TEST_CASE("a padding of ones, the bias of the image and the zeros of output_padding match results worked out by hand",
          "[mistakes]") {
  CHECK(with("padding_of_ones", kRow, kY, 0) == Values{15, 33, 28});
  CHECK(with("padding_of_ones", kRow, kY, 1) == Values{11, 33, 18});
  CHECK(with("padding_of_ones", kRow, kDw, 0) == Values{421, 531, 142});

  const Problem batch{.desc = {.n = 2, .k = 2}, .x = {3, 5}, .w = {1, 2}, .b = {10, 20}, .dy = {1, 2, 3, 4}};
  CHECK(with("", batch, kY) == Values{13, 26, 15, 30});
  CHECK(with("bias_by_image", batch, kY) == Values{13, 16, 25, 30});
  CHECK(with("", batch, kDb) == Values{4, 6});
  CHECK(with("bias_by_image", batch, kDb) == Values{3, 7});

  Problem longer = kRow;
  longer.desc.w = 6;
  CHECK(with("output_padding_zeros", longer, kDx) == Values{3, 25, 30, 250, 300, 0});
}

TEST_CASE("a ReLU that is included matches results worked out by hand", "[mistakes]") {
  // y = -1, 2, -3.
  Problem row{.desc = {.w = 3}, .x = {1, -2, 3}, .w = {-1}, .b = {}, .dy = {10, 20, -5}};
  CHECK(with("relu_in_y", row, kY) == Values{0, 2, 0});
  CHECK(with("", row, kDx) == Values{-10, -20, 5});
  CHECK(with("relu_mask", row, kDx, 0) == Values{0, -20, 0});
  CHECK(with("relu_mask", row, kDx, 1) == Values{-10, -20, 0});
  CHECK(with("relu_mask", row, kDx, 2) == Values{-10, 0, 5});
  CHECK(with("", row, kDw) == Values{-45});
  CHECK(with("relu_mask", row, kDw, 0) == Values{-40});
  CHECK(with("relu_mask", row, kDw, 1) == Values{-30});
  CHECK(with("relu_mask", row, kDb, 0) == Values{20});
  CHECK(with("relu_mask", row, kDb, 1) == Values{30});
  // With the bias, y = 1, 4, -1.
  row.b = {2};
  CHECK(with("relu_mask", row, kDw, 0) == Values{-30});
}

TEST_CASE("a mistake that reads more than its pass needs x and w", "[mistakes]") {
  const Geometry g = resolve(kRow.desc).value();
  const auto mask = std::ranges::find(mistakes::list(), "relu_mask", &mistakes::Mistake::name);
  REQUIRE(mask != mistakes::list().end());
  CHECK(mistakes::has_inputs(g, {.x = kRow.x, .w = kRow.w, .b = {}, .dy = kRow.dy}, *mask));
  CHECK_FALSE(mistakes::has_inputs(g, {.x = {}, .w = kRow.w, .b = {}, .dy = kRow.dy}, *mask));
  CHECK_FALSE(mistakes::has_inputs(g, {.x = kRow.x, .w = {}, .b = {}, .dy = kRow.dy}, *mask));
  CHECK(mistakes::has_inputs(g, {.x = {}, .w = {}, .b = {}, .dy = kRow.dy}, mistakes::list().front()));
}
