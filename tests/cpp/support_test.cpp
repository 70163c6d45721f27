// Tests of the test support: comparators must reject wrong values.
#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>
#include <cmath>
#include <limits>
#include <vector>

#include "conv2d/conv2d.hpp"
#include "support/guarded_buffer.hpp"
#include "support/matchers.hpp"
#include "support/random_problem.hpp"
#include "support/run.hpp"

using namespace conv2d;
using namespace conv2d::test;

namespace {

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

const std::vector<float> kValues{1.5f, -2.0f, 0.0f, 1e20f};
const std::vector<double> kWide(kValues.begin(), kValues.end());

/// The report of a matcher that rejects the values; empty if it accepts them.
template <class Values>
std::string refusal(const Values& values, const auto& matcher) {
  return matcher.match(values) ? "" : matcher.describe();
}

}  // namespace

TEST_CASE("equal values match, including signed zeros and empty tensors") {
  CHECK_THAT(kValues, Equals(kWide));
  CHECK_THAT(kValues, Equals(kValues));
  CHECK_THAT(kWide, Equals(kWide));
  CHECK_THAT(std::vector<float>(), Equals(std::vector<double>()));
  CHECK_THAT(std::vector<float>(1, -0.0f), Equals(std::vector<float>(1, 0.0f)));
}

TEST_CASE("one ulp in any element, up or down, does not match") {
  for (std::size_t i = 0; i < kValues.size(); ++i) {
    for (const float towards : {-INFINITY, INFINITY}) {
      std::vector<float> off = kValues;
      off[i] = std::nextafter(off[i], towards);
      CHECK(refusal(off, Equals(kWide)).starts_with("must be equal: element " + std::to_string(i)));
      CHECK(refusal(off, Equals(kValues)).starts_with("must be equal: element " + std::to_string(i)));
    }
  }
}

TEST_CASE("NaN and wrong infinities match nothing, at any tolerance") {
  using Wide = std::vector<double>;
  const Tolerance generous{.absolute = 1e30, .relative = 1e30};
  for (const float wrong : {kNan, INFINITY, -INFINITY}) {
    CHECK_THAT(std::vector<float>(1, wrong), !Equals(Wide{1}, generous));
  }
  CHECK_THAT(std::vector<float>(1, kNan), !Equals(Wide{kNan}, generous));
  CHECK_THAT(std::vector<float>(1, 1.0f), !Equals(Wide{kNan}, generous));
  CHECK_THAT(std::vector<float>(1, INFINITY), !Equals(Wide{-INFINITY}, generous));
  CHECK_THAT(std::vector<float>(1, INFINITY), Equals(Wide{INFINITY}));
  const Exact exact{.value = {1}, .magnitude = {1}};
  CHECK_THAT(std::vector<float>(1, kNan), !WithinBound(exact, 1e30));
}

TEST_CASE("a different length matches nothing") {
  CHECK(refusal(kValues, Equals(std::vector<double>(3))) == "must be equal: 4 elements, expected 3");
  CHECK(refusal(std::vector<float>(), Equals(std::vector<double>(1))) == "must be equal: 0 elements, expected 1");
  CHECK(refusal(kValues, Equals(std::vector<float>(5))) == "must be equal: 4 elements, expected 5");
  CHECK(refusal(kValues, HasBitsOf(std::vector<float>(5))) == "must have the same bits: 4 elements, expected 5");
  CHECK_THAT(kValues, !WithinBound({.value = {1}, .magnitude = {1}}, 1e30));
}

TEST_CASE("the tolerance has the declared width") {
  const Tolerance tolerance{.absolute = 0.25, .relative = 0.5};
  const std::vector<double> expected{2};  // allowed: 0.25 + 1
  CHECK_THAT(std::vector<float>(1, 3.25f), Equals(expected, tolerance));
  CHECK_THAT(std::vector<float>(1, 0.75f), Equals(expected, tolerance));
  CHECK_THAT(std::vector<float>(1, std::nextafter(3.25f, 4.0f)), !Equals(expected, tolerance));
  CHECK_THAT(std::vector<float>(1, std::nextafter(0.75f, 0.0f)), !Equals(expected, tolerance));
}

TEST_CASE("the worst of several wrong elements is reported after the first values") {
  const std::vector<double> expected{1, 2, 3, 4};
  CHECK(refusal(std::vector<float>{1, 3, 9, 5}, Equals(expected)) ==
        "must be equal: element 2: got 9, expected 3, allowed error 0 (3 of 4 wrong)");
  CHECK(refusal(std::vector<float>{1, 3, kNan, 5}, Equals(expected)).starts_with("must be equal: element 2: got nan"));
  CHECK(Catch::Detail::stringify(std::vector<double>{1, 2}) == "2 values { 1.0 2.0 }");
  CHECK(Catch::Detail::stringify(std::vector<double>(100)).starts_with("100 values { 0.0 0.0"));
  CHECK(Catch::Detail::stringify(std::vector<double>(100)).size() < 60);
}

TEST_CASE("the declared bound is the exact limit") {
  const Exact exact{.value = {8}, .magnitude = {64}};
  const float allowed = 10 * 64 * 0x1p-24f;
  CHECK_THAT(std::vector<float>(1, 8 + allowed * 0.9f), WithinBound(exact, 10));
  CHECK_THAT(std::vector<float>(1, 8 + allowed * 1.1f), !WithinBound(exact, 10));
  // The reference may be off by its one rounding only.
  CHECK_THAT(std::vector<float>(1, 8.0f), WithinBound(exact, 0));
  CHECK_THAT(std::vector<float>(1, std::nextafter(8.0f, 9.0f)), !WithinBound(exact, 0));
}

TEST_CASE("the bit comparison distinguishes values that == does not") {
  const std::vector<float> one{0.0f, kNan, 1.0f};
  CHECK_THAT(one, HasBitsOf(one));
  CHECK_THAT(one, !HasBitsOf(std::vector<float>{-0.0f, kNan, 1.0f}));
  CHECK_THAT(one, !HasBitsOf(std::vector<float>{0.0f, kNan, std::nextafter(1.0f, 2.0f)}));
}

TEST_CASE("an error matches by code, field and message parts; success matches a status without error") {
  ConvDesc d{.w = 7};
  const Result<Geometry> right = resolve(d);
  d.stride_w = -3;
  const Result<Geometry> wrong = resolve(d);
  CHECK_THAT(right, Succeeds());
  CHECK_THAT(right.status(), Succeeds());
  CHECK_THAT(wrong, !Succeeds());
  CHECK_THAT(wrong.status(), !Succeeds());
  CHECK_THAT(wrong, Fails(ErrorCode::invalid_stride));
  CHECK_THAT(wrong.status(), Fails(ErrorCode::invalid_stride, "stride_w", {"-3"}));
  CHECK_THAT(wrong, !Fails(ErrorCode::invalid_dilation));
  CHECK_THAT(wrong, !Fails(ErrorCode::invalid_stride, "stride_h"));
  CHECK_THAT(wrong, !Fails(ErrorCode::invalid_stride, ""));
  CHECK_THAT(wrong, !Fails(ErrorCode::invalid_stride, "stride_w", {"-3", "-4"}));
  CHECK_THAT(right, !Fails(ErrorCode::invalid_stride));
  CHECK_THAT(right, !Fails(ErrorCode::ok));
  CHECK(refusal(wrong, Fails(ErrorCode::overflow, "x", {"2^53"})) ==
        "must fail with overflow of \"x\", saying \"2^53\"");
  CHECK(Catch::Detail::stringify(wrong).starts_with("invalid_stride of \"stride_w\": "));
}

TEST_CASE("Failures reports the first few failures with their locations") {
  Failures failures;
  failures.add(std::nullopt, "nowhere");
  CHECK_THAT(failures, NoFailure());
  CHECK_THAT(Failure(), NoFailure());
  CHECK_THAT(Failure("something"), !NoFailure());
  for (const int row : {1, 2}) failures.add("too small", "row", row, std::string("of"), std::int64_t{3});
  CHECK_THAT(failures, !NoFailure());
  CHECK(failures.text() == "row 1 of 3: too small\nrow 2 of 3: too small\n");
  for (int i = 0; i < 10; ++i) failures.add("late", "row");
  CHECK(failures.text().ends_with("row: late\nand 4 more\n"));
}

TEST_CASE("the canaries detect a write on either side") {
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

TEST_CASE("the oracle agrees with a convolution worked out by hand") {
  // x = 1 2 3, w = 10 1, stride 1: y = 10*1 + 2, 10*2 + 3; dy = 1 2.
  const ConvDesc d{.w = 3, .kw = 2};
  const TensorValues t{.x = {1, 2, 3}, .w = {10, 1}, .b = {100}, .dy = {1, 2}};
  const Oracle o = oracle(d, *sizes_of(d), t);
  CHECK(o.y.value == std::vector<double>{112, 123});
  CHECK(o.dx.value == std::vector<double>{10, 21, 2});
  CHECK(o.dw.value == std::vector<double>{1 + 4, 2 + 6});
  CHECK(o.db.value == std::vector<double>{3});
}

TEST_CASE("a wrong kernel is detected") {
  // Common mistakes, applied to the geometry: the comparison must reject each.
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
      CHECK_THAT(outcome.out, !Equals(expected.of(pass).value));
    }
  }
}

TEST_CASE("random problems cover the documented cases") {
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
