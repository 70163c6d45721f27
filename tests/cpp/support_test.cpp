// The tools of the tests reject what they must: a comparator that cannot fail proves nothing.
#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>
#include <cmath>
#include <limits>
#include <vector>

#include "conv2d/conv2d.hpp"
#include "support/compare.hpp"
#include "support/guarded_buffer.hpp"
#include "support/random_problem.hpp"
#include "support/run.hpp"

using namespace conv2d;
using namespace conv2d::test;

namespace {

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

const std::vector<float> kValues{1.5f, -2.0f, 0.0f, 1e20f};
const std::vector<double> kWide(kValues.begin(), kValues.end());

}  // namespace

TEST_CASE("the exact comparator accepts equal values") {
  CHECK(difference(kValues, kWide) == "");
  CHECK(difference(kValues, kValues) == "");
  CHECK(difference(std::vector<float>{}, std::vector<double>{}) == "");
  CHECK(difference(std::vector<float>{-0.0f}, std::vector<float>{0.0f}) == "");
}

TEST_CASE("the exact comparator rejects one ulp in any element, up and down") {
  for (std::size_t i = 0; i < kValues.size(); ++i) {
    for (const float towards : {-INFINITY, INFINITY}) {
      std::vector<float> off = kValues;
      off[i] = std::nextafter(off[i], towards);
      CHECK(difference(off, kWide).starts_with("element " + std::to_string(i)));
      CHECK(difference(off, kValues).starts_with("element " + std::to_string(i)));
    }
  }
}

TEST_CASE("NaN and wrong infinities agree with nothing, whatever the tolerance") {
  const Tolerance generous{.absolute = 1e30, .relative = 1e30};
  for (const float wrong : {kNan, INFINITY, -INFINITY}) {
    CHECK(difference(std::vector<float>{wrong}, std::vector<double>{1}, generous) != "");
  }
  CHECK(difference(std::vector<float>{kNan}, std::vector<double>{kNan}, generous) != "");
  CHECK(difference(std::vector<float>{1}, std::vector<double>{kNan}, generous) != "");
  CHECK(difference(std::vector<float>{INFINITY}, std::vector<double>{-INFINITY}, generous) != "");
  CHECK(difference(std::vector<float>{INFINITY}, std::vector<double>{INFINITY}) == "");
  const Exact exact{.value = {1}, .magnitude = {1}};
  CHECK(difference_beyond_bound(std::vector<float>{kNan}, exact, 1e30) != "");
}

TEST_CASE("another length agrees with nothing") {
  CHECK(difference(std::vector<float>{1, 2}, std::vector<double>{1}) == "2 elements, expected 1");
  CHECK(difference(std::vector<float>{}, std::vector<double>{1}) == "0 elements, expected 1");
  CHECK(difference(std::vector<float>{1}, std::vector<float>{1, 1}) == "1 elements, expected 2");
}

TEST_CASE("the tolerance is as wide as it says") {
  const Tolerance tolerance{.absolute = 0.25, .relative = 0.5};
  const std::vector<double> expected{2};  // allowed: 0.25 + 1
  CHECK(difference(std::vector<float>{3.25f}, expected, tolerance) == "");
  CHECK(difference(std::vector<float>{0.75f}, expected, tolerance) == "");
  CHECK(difference(std::vector<float>{std::nextafter(3.25f, 4.0f)}, expected, tolerance) != "");
  CHECK(difference(std::vector<float>{std::nextafter(0.75f, 0.0f)}, expected, tolerance) != "");
}

TEST_CASE("the worst of several wrong elements is told") {
  const std::vector<double> expected{1, 2, 3, 4};
  CHECK(difference(std::vector<float>{1, 3, 9, 5}, expected) ==
        "element 2: got 9, expected 3, allowed error 0 (3 of 4 wrong)");
  CHECK(difference(std::vector<float>{1, 3, kNan, 5}, expected).starts_with("element 2: got nan"));
}

TEST_CASE("the declared bound is what is allowed, and no more") {
  const Exact exact{.value = {8}, .magnitude = {64}};
  const float allowed = 10 * 64 * 0x1p-24f;
  CHECK(difference_beyond_bound(std::vector<float>{8 + allowed * 0.9f}, exact, 10) == "");
  CHECK(difference_beyond_bound(std::vector<float>{8 + allowed * 1.1f}, exact, 10) != "");
  // The reference may be off by its one rounding only.
  CHECK(difference_beyond_bound(std::vector<float>{8}, exact, 0) == "");
  CHECK(difference_beyond_bound(std::vector<float>{std::nextafter(8.0f, 9.0f)}, exact, 0) != "");
}

TEST_CASE("the canaries notice a write on either side") {
  GuardedBuffer untouched(5);
  CHECK(untouched.intact());
#ifndef CONV2D_TEST_ASAN  // under ASan such a write ends the program
  for (const std::ptrdiff_t at : {-1, 5}) {
    GuardedBuffer buffer(5);
    buffer.span().data()[at] = 0;
    CHECK(!buffer.intact());
  }
#endif
}

TEST_CASE("the oracle knows a convolution worked out by hand") {
  // x = 1 2 3, w = 10 1, stride 1: y = 10*1 + 2, 10*2 + 3; dy = 1 2.
  const ConvDesc d{.w = 3, .kw = 2};
  const TensorValues t{.x = {1, 2, 3}, .w = {10, 1}, .b = {100}, .dy = {1, 2}};
  const Oracle o = oracle(d, *sizes_of(d), t);
  CHECK(o.y.value == std::vector<double>{112, 123});
  CHECK(o.dx.value == std::vector<double>{10, 21, 2});
  CHECK(o.dw.value == std::vector<double>{1 + 4, 2 + 6});
  CHECK(o.db.value == std::vector<double>{3});
}

TEST_CASE("a wrong kernel is noticed") {
  // The usual mistakes, made in the geometry: the tests' own comparison must refuse each.
  const ConvDesc right{.n = 2,
                       .h = 9,
                       .w = 8,
                       .c = 4,
                       .k = 4,
                       .kh = 3,
                       .kw = 3,
                       .stride_h = 2,
                       .stride_w = 1,
                       .dilation_h = 1,
                       .dilation_w = 2,
                       .groups = 2,
                       .padding = {1, 0, 2, 1}};
  const auto changed = [&](auto change) {
    ConvDesc d = right;
    change(d);
    return d;
  };
  const ConvDesc mistakes[] = {
      changed([](ConvDesc& d) { std::swap(d.padding.top, d.padding.bottom); }),
      changed([](ConvDesc& d) { std::swap(d.padding.left, d.padding.right); }),
  };
  Rng rng(3);
  const TensorValues tensors = integer_tensors(right, *sizes_of(right), rng);
  const Oracle expected = oracle(right, *sizes_of(right), tensors);
  for (const ConvDesc& mistake : mistakes) {
    for (const Pass pass : {Pass::forward, Pass::backward_data, Pass::backward_weights}) {
      const Outcome outcome = run(plan(mistake, pass).value(), tensors);
      CAPTURE(to_string(mistake), to_string(pass));
      CHECK(difference(outcome.out, expected.of(pass).value) != "");
    }
  }
}

TEST_CASE("random problems cover what they claim to") {
  Rng rng(1);
  int depthwise = 0, grouped = 0, stride_above_kernel = 0, remainder = 0, dilated = 0, asymmetric = 0, wide_padding = 0,
      empty = 0, wide = 0;
  for (int i = 0; i < 2000; ++i) {
    const ConvDesc d = random_desc(rng);
    const Geometry g = resolve(d).value();
    depthwise += d.groups == d.c && d.c > 1;
    grouped += d.groups > 1 && d.groups < d.c;
    stride_above_kernel += d.stride_h > d.kh;
    remainder += g.remainder_h > 0;
    dilated += d.dilation_w > 1 && d.kw > 1;
    asymmetric += g.padding.top != g.padding.bottom;
    wide_padding += g.padding.left >= g.dilated_kw;
    empty += d.n == 0;
    wide += d.k > 16;
  }
  for (const int count :
       {depthwise, grouped, stride_above_kernel, remainder, dilated, asymmetric, wide_padding, wide}) {
    CHECK(count > 40);
  }
  CHECK(empty > 10);
}
