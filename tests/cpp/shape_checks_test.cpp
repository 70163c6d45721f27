#include <catch2/catch_test_macros.hpp>
#include <string>

#include "conv2d/conv_desc.hpp"
#include "support/matchers.hpp"
#include "support/run.hpp"

using namespace conv2d;
using namespace conv2d::test;

namespace {

using Shape = std::array<std::int64_t, 4>;

}  // namespace

TEST_CASE("dy of the correct shape is accepted") {
  for (const Layout layout : kLayouts) {
    const Geometry g =
        resolve({.layout = layout, .n = 2, .h = 8, .w = 7, .c = 3, .k = 5, .kh = 3, .kw = 2, .stride_h = 2}).value();
    CHECK_THAT(check_dy_shape(g, g.y_shape()), Succeeds());
  }
}

TEST_CASE("dy of the wrong width is refused with expected and actual") {
  const Geometry g = resolve({.h = 5, .w = 30, .kh = 5, .kw = 5}).value();
  const Status status = check_dy_shape(g, {1, 1, 29, 1});
  // The page offers 26, which fits; x of width 30 does not give 30.
  CHECK_THAT(status, Fails(ErrorCode::input_size_mismatch, "dy",
                           {"dy width is 29, but x width 30 with kernel 5, stride 1, dilation 1 gives 26"}));
}

TEST_CASE("every dimension of dy is checked, in both layouts") {
  for (const Layout layout : kLayouts) {
    const Geometry g =
        resolve({.layout = layout, .n = 2, .h = 8, .w = 7, .c = 3, .k = 5, .kh = 3, .kw = 2, .padding = {1, 0, 2, 0}})
            .value();
    for (std::size_t axis = 0; axis < 4; ++axis) {
      for (const std::int64_t off : {-1, 1}) {
        Shape shape = g.y_shape();
        shape[axis] += off;
        const Status status = check_dy_shape(g, shape);
        CAPTURE(axis, off, status.message);
        CHECK_THAT(status, Fails(ErrorCode::input_size_mismatch, "dy",
                                 {std::to_string(shape[axis]), std::to_string(g.y_shape()[axis])}));
      }
    }
  }
}

TEST_CASE("every input size of one output accepts the same dy; the adjacent sizes do not") {
  for (const std::int64_t h : {9, 10, 11}) {
    const Geometry g = resolve({.h = h, .w = 4, .kh = 3, .kw = 2, .stride_h = 3}).value();
    CHECK_THAT(check_dy_shape(g, {1, 3, 3, 1}), Succeeds());
  }
  for (const std::int64_t h : {8, 12}) {
    const Geometry g = resolve({.h = h, .w = 4, .kh = 3, .kw = 2, .stride_h = 3}).value();
    const Status status = check_dy_shape(g, {1, 3, 3, 1});
    CHECK_THAT(status, Fails(ErrorCode::input_size_mismatch, "dy", {"dy height is 3"}));
  }
}

TEST_CASE("weights of the wrong shape are refused") {
  const struct {
    WeightsLayout layout;
    std::size_t channels;  // their place in the shape
    const char* axes;
  } orders[] = {{WeightsLayout::hwio, 2, "(kh, kw, c / groups, k)"},
                {WeightsLayout::oihw, 1, "(k, c / groups, kh, kw)"},
                {WeightsLayout::ohwi, 3, "(k, kh, kw, c / groups)"}};
  for (const auto& [layout, channels, axes] : orders) {
    const Geometry g =
        resolve({.h = 8, .w = 7, .c = 6, .k = 4, .kh = 3, .kw = 2, .groups = 2, .weights_layout = layout}).value();
    REQUIRE_THAT(check_w_shape(g, g.w_shape()), Succeeds());
    for (std::size_t axis = 0; axis < 4; ++axis) {
      Shape shape = g.w_shape();
      shape[axis] += 1;
      const Status status = check_w_shape(g, shape);
      CAPTURE(axis, status.message);
      const ErrorCode code = axis == channels ? ErrorCode::channel_mismatch : ErrorCode::length_mismatch;
      CHECK_THAT(status, Fails(code, "w", {std::to_string(shape[axis]), std::to_string(g.w_shape()[axis])}));
      if (axis != channels) CHECK_THAT(status, Fails(code, "w", {axes}));
    }
  }
}

TEST_CASE("each error code reports its name") {
  CHECK(conv2d::to_string(ErrorCode::ok) == "ok");
  CHECK(conv2d::to_string(ErrorCode::invalid_size) == "invalid_size");
  CHECK(conv2d::to_string(ErrorCode::invalid_stride) == "invalid_stride");
  CHECK(conv2d::to_string(ErrorCode::invalid_dilation) == "invalid_dilation");
  CHECK(conv2d::to_string(ErrorCode::invalid_padding) == "invalid_padding");
  CHECK(conv2d::to_string(ErrorCode::invalid_groups) == "invalid_groups");
  CHECK(conv2d::to_string(ErrorCode::channel_mismatch) == "channel_mismatch");
  CHECK(conv2d::to_string(ErrorCode::kernel_too_large) == "kernel_too_large");
  CHECK(conv2d::to_string(ErrorCode::input_size_mismatch) == "input_size_mismatch");
  CHECK(conv2d::to_string(ErrorCode::length_mismatch) == "length_mismatch");
  CHECK(conv2d::to_string(ErrorCode::overflow) == "overflow");
  CHECK(conv2d::to_string(ErrorCode::out_of_memory) == "out_of_memory");
  CHECK(conv2d::to_string(ErrorCode::unknown_algorithm) == "unknown_algorithm");
  CHECK(conv2d::to_string(ErrorCode::unsupported) == "unsupported");
  CHECK(conv2d::to_string(ErrorCode::invalid_argument) == "invalid_argument");
  CHECK(conv2d::to_string(ErrorCode::cancelled) == "cancelled");
}
