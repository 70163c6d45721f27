#include "support/last_words.hpp"

#ifdef CONV2D_TEST_PROCESSES

#include <catch2/catch_test_macros.hpp>
#include <vector>

#include "conv2d/conv2d.hpp"
#include "support/matchers.hpp"
#include "transforms/col2im.hpp"
#include "transforms/im2col.hpp"
#include "transforms/panels.hpp"

using namespace conv2d;
using namespace conv2d::test;

TEST_CASE("what a transform is given is checked in debug builds alone") {
  const ConvDesc desc{.layout = Layout::nchw, .h = 4, .w = 4, .c = 2, .kh = 2, .kw = 2};
  const Geometry nchw = resolve(desc).value();
  std::vector<float> x(static_cast<std::size_t>(nchw.x_size)), columns(9 * 8);
  CHECK_THAT(wrong_about_precondition("g.layout == Layout::nhwc",
                                      [&] { im2col(nchw, {.count = 9}, x.data(), columns.data()); }),
             NothingWrong());
  CHECK_THAT(wrong_about_precondition(
                 "rows.order == ColumnOrder::kh_kw_c",
                 [&] { col2im_add(nchw, {.count = 9, .order = ColumnOrder::c_kh_kw}, columns.data(), x.data()); }),
             NothingWrong());
  const DenseDepth matrix{.data = columns.data(), .row_stride = 8};
  CHECK_THAT(wrong_about_precondition("range.valid >= 1 && range.valid <= range.width",
                                      [&] { matrix.source()({.valid = 0, .width = 4, .depth = 2}, x.data()); }),
             NothingWrong());
}

#endif
