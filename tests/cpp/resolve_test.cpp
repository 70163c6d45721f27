#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>
#include <limits>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "conv2d/conv2d.hpp"
#include "conv2d/conv_desc.hpp"
#include "problems/edge_cases.hpp"
#include "support/matchers.hpp"
#include "support/oracle.hpp"
#include "support/run.hpp"

using namespace conv2d;
using namespace conv2d::test;

namespace {

constexpr std::int64_t kHuge = std::int64_t{1} << 62;
constexpr std::int64_t kLargest = std::numeric_limits<std::int64_t>::max();

constexpr ConvDesc kValid{.n = 2, .h = 7, .w = 5, .c = 4, .k = 6, .kh = 3, .kw = 2, .groups = 2};

}  // namespace

TEST_CASE("resolve finds the same sizes as counting windows") {
  for (const NamedProblem& problem : edge_cases()) {
    for (const Layout layout : kLayouts) {
      ConvDesc d = problem.desc;
      d.layout = layout;
      CAPTURE(problem.name, to_string(d));
      const std::optional<Sizes> expected = sizes_of(d);
      REQUIRE(expected.has_value());
      const Result<Geometry> g = resolve(d);
      REQUIRE_THAT(g, Succeeds());
      CHECK(g->oh == expected->oh);
      CHECK(g->ow == expected->ow);
      CHECK(g->padding == expected->padding);
      CHECK(g->group_c == expected->group_c);
      CHECK(g->group_k == expected->group_k);
      CHECK(g->x_size == expected->x_size);
      CHECK(g->w_size == expected->w_size);
      CHECK(g->y_size == expected->y_size);
      CHECK(g->macs() == expected->y_size * d.kh * d.kw * expected->group_c);
      CHECK(g->dilated_kh == (d.kh - 1) * d.dilation_h + 1);
      CHECK(g->dilated_kw == (d.kw - 1) * d.dilation_w + 1);
      const Padding& pad = g->padding;
      CHECK(g->remainder_h == d.h + pad.top + pad.bottom - ((g->oh - 1) * d.stride_h + g->dilated_kh));
      CHECK(g->remainder_w == d.w + pad.left + pad.right - ((g->ow - 1) * d.stride_w + g->dilated_kw));
    }
  }
}

TEST_CASE("only resolve() creates a geometry, and a geometry is immutable") {
  STATIC_CHECK(!std::is_aggregate_v<Geometry>);
  STATIC_CHECK(!std::is_constructible_v<Geometry, ConvDesc>);
  STATIC_CHECK(!std::is_constructible_v<Geometry, ConvDesc, Padding>);
  STATIC_CHECK(!std::is_constructible_v<Geometry, Layout>);
  STATIC_CHECK(!std::is_constructible_v<Geometry, Layout, std::int64_t, std::int64_t>);
  STATIC_CHECK(!std::is_assignable_v<decltype((std::declval<Geometry&>().layout)), Layout>);
  STATIC_CHECK(!std::is_assignable_v<decltype((std::declval<Geometry&>().n)), std::int64_t>);
  STATIC_CHECK(!std::is_assignable_v<decltype((std::declval<Geometry&>().ow)), std::int64_t>);
  STATIC_CHECK(!std::is_assignable_v<decltype((std::declval<Geometry&>().x_size)), std::int64_t>);
  STATIC_CHECK(!std::is_assignable_v<decltype((std::declval<Geometry&>().padding)), Padding>);
  STATIC_CHECK(!std::is_assignable_v<decltype((std::declval<Geometry&>().padding.top)), std::int64_t>);
  STATIC_CHECK(std::is_trivially_copy_constructible_v<Geometry>);
  STATIC_CHECK(std::is_nothrow_copy_assignable_v<Geometry>);
}

TEST_CASE("a geometry is assigned as a whole, and the default is one element and one tap") {
  const Geometry first = resolve(kValid).value();
  Geometry g;
  CHECK(g.x_shape() == std::array<std::int64_t, 4>{1, 1, 1, 1});
  CHECK((g.x_size == 1 && g.w_size == 1 && g.y_size == 1 && g.macs() == 1));
  g = first;
  CHECK(g.x_shape() == first.x_shape());
  CHECK((g.oh == first.oh && g.remainder_w == first.remainder_w && g.y_size == first.y_size));
  const Geometry& same = g;
  g = same;
  CHECK(g.w_shape() == first.w_shape());
  // Standard containers use assignment here.
  std::vector<Geometry> several{first, Geometry(), first};
  std::reverse(several.begin(), several.end());
  several.erase(several.begin());
  CHECK((several[0].n == 1 && several[1].n == kValid.n && several[1].x_size == first.x_size));
  std::optional<Geometry> assigned = Geometry();
  assigned = first;
  CHECK(assigned->macs() == first.macs());
}

TEST_CASE("shapes follow the layout") {
  using Shape = std::array<std::int64_t, 4>;
  ConvDesc d = kValid;
  const Geometry nhwc = resolve(d).value();
  CHECK(nhwc.x_shape() == Shape{2, 7, 5, 4});
  CHECK(nhwc.w_shape() == Shape{3, 2, 2, 6});
  CHECK(nhwc.y_shape() == Shape{2, 5, 4, 6});
  d.layout = Layout::nchw;
  const Geometry nchw = resolve(d).value();
  CHECK(nchw.x_shape() == Shape{2, 4, 7, 5});
  CHECK(nchw.w_shape() == Shape{6, 2, 3, 2});
  CHECK(nchw.y_shape() == Shape{2, 6, 5, 4});
  // The weights can have a layout of their own, with I = c / groups.
  const std::pair<WeightsLayout, Shape> shapes[] = {
      {WeightsLayout::hwio, {3, 2, 2, 6}}, {WeightsLayout::oihw, {6, 2, 3, 2}}, {WeightsLayout::ohwi, {6, 3, 2, 2}}};
  for (const auto& [weights, shape] : shapes) {
    d.weights_layout = weights;
    const Geometry g = resolve(d).value();
    CHECK(g.weights_layout == weights);
    CHECK(g.w_shape() == shape);
    CHECK(g.x_shape() == nchw.x_shape());
  }
}

TEST_CASE("a layout of the weights has the name of its enumerator") {
  CHECK(conv2d::to_string(WeightsLayout::automatic) == "automatic");
  CHECK(conv2d::to_string(WeightsLayout::hwio) == "hwio");
  CHECK(conv2d::to_string(WeightsLayout::oihw) == "oihw");
  CHECK(conv2d::to_string(WeightsLayout::ohwi) == "ohwi");
}

TEST_CASE("same padding puts the odd element at the bottom and right") {
  const Geometry g =
      resolve({.h = 6, .w = 7, .kh = 3, .kw = 4, .stride_h = 2, .padding_mode = PaddingMode::same}).value();
  CHECK(g.padding == Padding{.top = 0, .bottom = 1, .left = 1, .right = 2});
  CHECK(g.oh == 3);
  CHECK(g.ow == 7);
}

TEST_CASE("padding is read in explicit mode only") {
  ConvDesc d = kValid;
  d.padding = {-1, kHuge, -7, kLargest};
  for (const PaddingMode mode : {PaddingMode::valid, PaddingMode::same, PaddingMode::full}) {
    d.padding_mode = mode;
    CHECK_THAT(resolve(d), Succeeds());
  }
}

TEST_CASE("every invalid field of a descriptor is named") {
  struct Case {
    const char* field;
    ErrorCode code;
    const char* message_part;  ///< the message contains this number, or names this limit
    ConvDesc desc;
  };
  const auto with = [](auto change) {
    ConvDesc d = kValid;
    change(d);
    return d;
  };
  const Case cases[] = {
      {"layout", ErrorCode::invalid_argument, "layout is 2", with([](ConvDesc& d) { d.layout = Layout{2}; })},
      {"layout", ErrorCode::invalid_argument, "layout is -1", with([](ConvDesc& d) { d.layout = Layout{-1}; })},
      {"padding_mode", ErrorCode::invalid_argument, "padding_mode is 4",
       with([](ConvDesc& d) { d.padding_mode = PaddingMode{4}; })},
      {"padding_mode", ErrorCode::invalid_argument, "padding_mode is -1",
       with([](ConvDesc& d) { d.padding_mode = PaddingMode{-1}; })},
      {"weights_layout", ErrorCode::invalid_argument, "weights_layout is -1",
       with([](ConvDesc& d) { d.weights_layout = WeightsLayout{-1}; })},
      {"weights_layout", ErrorCode::invalid_argument, "4",
       with([](ConvDesc& d) { d.weights_layout = WeightsLayout{4}; })},
      {"n", ErrorCode::invalid_size, "-1", with([](ConvDesc& d) { d.n = -1; })},
      {"h", ErrorCode::invalid_size, "-2", with([](ConvDesc& d) { d.h = -2; })},
      {"w", ErrorCode::invalid_size, "-3", with([](ConvDesc& d) { d.w = -3; })},
      {"c", ErrorCode::invalid_size, "0", with([](ConvDesc& d) { d.c = 0; })},
      {"k", ErrorCode::invalid_size, "0", with([](ConvDesc& d) { d.k = 0; })},
      {"kh", ErrorCode::invalid_size, "0", with([](ConvDesc& d) { d.kh = 0; })},
      {"kw", ErrorCode::invalid_size, "-9", with([](ConvDesc& d) { d.kw = -9; })},
      {"stride_h", ErrorCode::invalid_stride, "0", with([](ConvDesc& d) { d.stride_h = 0; })},
      {"stride_w", ErrorCode::invalid_stride, "-1", with([](ConvDesc& d) { d.stride_w = -1; })},
      {"dilation_h", ErrorCode::invalid_dilation, "0", with([](ConvDesc& d) { d.dilation_h = 0; })},
      {"dilation_w", ErrorCode::invalid_dilation, "-4", with([](ConvDesc& d) { d.dilation_w = -4; })},
      {"groups", ErrorCode::invalid_groups, "0", with([](ConvDesc& d) { d.groups = 0; })},
      {"groups", ErrorCode::invalid_groups, "4", with([](ConvDesc& d) { d.groups = 3; })},
      {"groups", ErrorCode::invalid_groups, "6", with([](ConvDesc& d) { d.groups = 4; })},
      {"padding.top", ErrorCode::invalid_padding, "-1", with([](ConvDesc& d) { d.padding.top = -1; })},
      {"padding.bottom", ErrorCode::invalid_padding, "-1", with([](ConvDesc& d) { d.padding.bottom = -1; })},
      {"padding.left", ErrorCode::invalid_padding, "-1", with([](ConvDesc& d) { d.padding.left = -1; })},
      {"padding.right", ErrorCode::invalid_padding, "-1", with([](ConvDesc& d) { d.padding.right = -1; })},
      {"kh", ErrorCode::kernel_too_large, "8", with([](ConvDesc& d) { d.kh = 8; })},
      {"kw", ErrorCode::kernel_too_large, "6", with([](ConvDesc& d) { d.kw = 6; })},
      {"kh", ErrorCode::kernel_too_large, "9", with([](ConvDesc& d) { d.dilation_h = 4; })},
      {"kh", ErrorCode::kernel_too_large, "0", with([](ConvDesc& d) { d.h = 0; })},
      {"padding.top", ErrorCode::overflow, "", with([](ConvDesc& d) { d.padding.top = kLargest; })},
      {"padding.bottom", ErrorCode::overflow, "", with([](ConvDesc& d) {
         d.padding = {kHuge, kHuge + 1, 0, 0};
       })},
      {"padding.left", ErrorCode::overflow, "", with([](ConvDesc& d) { d.padding.left = kLargest; })},
      {"dilation_h", ErrorCode::overflow, "", with([](ConvDesc& d) { d.dilation_h = kHuge; })},
      {"dilation_w", ErrorCode::overflow, "", with([](ConvDesc& d) { d.kw = 5, d.dilation_w = kHuge; })},
      {"x", ErrorCode::overflow, "", with([](ConvDesc& d) { d.n = kHuge; })},
      {"x", ErrorCode::overflow, "", with([](ConvDesc& d) { d.n = 0, d.h = kHuge; })},
      {"w", ErrorCode::overflow, "", with([](ConvDesc& d) { d.k = kHuge; })},
      {"y", ErrorCode::overflow, "", with([](ConvDesc& d) { d.padding.top = kHuge; })},
      {"y", ErrorCode::overflow, "", with([](ConvDesc& d) { d.n = 0, d.padding.right = kHuge; })},
      {"padding", ErrorCode::overflow, "2^53",
       with([](ConvDesc& d) { d.n = 0, d.padding.top = kHuge / 2, d.stride_h = kHuge / 8; })},
  };
  for (const Case& c : cases) {
    CAPTURE(c.field, to_string(c.desc));
    const Result<Geometry> g = resolve(c.desc);
    CAPTURE(g.status().message);
    CHECK_THAT(g, Fails(c.code, c.field, {c.message_part}));
    CHECK(g.status().message.size() > 10);
  }
}

TEST_CASE("more than 2^53 multiply-adds are refused although every tensor fits") {
  // 2^20 pixels, 2^15 channels, 2^18 filters and one more: tensors of little more than 2^38 floats.
  ConvDesc d{.h = 1 << 10, .w = 1 << 10, .c = 1 << 15, .k = (1 << 18) + 1};
  const Result<Geometry> g = resolve(d);
  CHECK_THAT(g, Fails(ErrorCode::overflow));

  d.k = 1 << 18;
  if (sizeof(void*) == 4) return;
  // The sanitizers check that no estimate of cost or workspace overflows here.
  for (const Pass pass : {Pass::forward, Pass::backward_data, Pass::backward_weights, Pass::backward_bias}) {
    CHECK_THAT(plan(d, pass), Succeeds());
  }
}

TEST_CASE("a tensor beyond a 32-bit address space is refused there and accepted elsewhere") {
  const Result<Geometry> g = resolve({.layout = Layout::nchw, .h = 65536, .w = 65536});
  if (sizeof(void*) == 4) {
    CHECK_THAT(g, Fails(ErrorCode::overflow, "x", {"4294967296"}));
  } else {
    REQUIRE_THAT(g, Succeeds());
    CHECK(g->x_size == std::int64_t{1} << 32);
  }
}

TEST_CASE("random 64-bit fields give an error or a geometry, never undefined behavior") {
  const std::int64_t hostile[] = {
      std::numeric_limits<std::int64_t>::min(), -1, 0, 1, 2, 65535, 1 << 30, kHuge - 1, kHuge, kLargest - 1, kLargest};
  using Member = std::int64_t ConvDesc::*;
  const Member members[] = {&ConvDesc::n,        &ConvDesc::h,          &ConvDesc::w,          &ConvDesc::c,
                            &ConvDesc::k,        &ConvDesc::kh,         &ConvDesc::kw,         &ConvDesc::stride_h,
                            &ConvDesc::stride_w, &ConvDesc::dilation_h, &ConvDesc::dilation_w, &ConvDesc::groups};
  for (const PaddingMode mode :
       {PaddingMode::explicit_sides, PaddingMode::valid, PaddingMode::same, PaddingMode::full}) {
    for (const Member first : members) {
      for (const Member second : members) {
        for (const std::int64_t a : hostile) {
          for (const std::int64_t b : hostile) {
            ConvDesc d = kValid;
            d.padding_mode = mode;
            d.*first = a;
            d.*second = b;
            const Result<Geometry> g = resolve(d);
            if (!g.ok()) continue;
            INFO(to_string(d));
            REQUIRE(g->oh >= 1);
            REQUIRE(g->macs() >= 0);
            REQUIRE((g->oh - 1) * d.stride_h + g->dilated_kh + g->remainder_h ==
                    d.h + g->padding.top + g->padding.bottom);
          }
        }
      }
    }
  }
}
