#include "support/abort_message.hpp"

#ifdef CONV2D_TEST_PROCESSES

#include <catch2/catch_test_macros.hpp>
#include <vector>

#include "conv2d/conv2d.hpp"
#include "support/matchers.hpp"
#include "transforms/im2col.hpp"
#include "transforms/panels.hpp"

using namespace conv2d;
using namespace conv2d::test;

TEST_CASE("preconditions of transforms are checked in debug builds only") {
  const ConvDesc desc{.layout = Layout::nchw, .h = 4, .w = 4, .c = 2, .kh = 2, .kw = 2};
  const Geometry nchw = resolve(desc).value();
  std::vector<float> x(static_cast<std::size_t>(nchw.x_size)), columns(9 * 8);
  CHECK_THAT(
      precondition_failure("g.layout == Layout::nhwc", [&] { im2col(nchw, {.count = 9}, x.data(), columns.data()); }),
      NoFailure());
  CHECK_THAT(precondition_failure(
                 "rows.order == ColumnOrder::kh_kw_c",
                 [&] { col2im_add(nchw, {.count = 9, .order = ColumnOrder::c_kh_kw}, columns.data(), x.data()); }),
             NoFailure());
  CHECK_THAT(precondition_failure(
                 "range.valid >= 1 && range.valid <= range.width",
                 [&] { pack_column_lanes(columns.data(), 8, {.valid = 0, .width = 4, .reduction = 2}, x.data()); }),
             NoFailure());
}

#endif
