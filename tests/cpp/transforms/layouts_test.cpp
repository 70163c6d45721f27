#include <catch2/catch_test_macros.hpp>

#include "support/expected_stage.hpp"
#include "support/matchers.hpp"
#include "teaching_loops/full_convolution.hpp"
#include "transforms/layout_change.hpp"
#include "transforms/problems.hpp"

using namespace conv2d;
using namespace conv2d::test;

namespace {

/// The offsets of every element in NHWC (HWIO) and in another layout: a layout change copies from one to the other.
struct Offsets {
  std::vector<std::int64_t> nhwc, other;
};

Offsets activation_offsets(std::int64_t n, std::int64_t c, std::int64_t pixels) {
  Offsets offsets;
  const ConvDesc nhwc{.n = n, .h = 1, .w = pixels, .c = c};
  const ConvDesc nchw{.layout = Layout::nchw, .n = n, .h = 1, .w = pixels, .c = c};
  for (std::int64_t image = 0; image < n; ++image) {
    for (std::int64_t pixel = 0; pixel < pixels; ++pixel) {
      for (std::int64_t channel = 0; channel < c; ++channel) {
        offsets.nhwc.push_back(x_index(nhwc, image, 0, pixel, channel));
        offsets.other.push_back(x_index(nchw, image, 0, pixel, channel));
      }
    }
  }
  return offsets;
}

Offsets weight_offsets(const ConvDesc& d) {
  Offsets offsets;
  ConvDesc hwio = d;
  hwio.weights_layout = WeightsLayout::hwio;
  for (std::int64_t p = 0; p < d.kh; ++p) {
    for (std::int64_t q = 0; q < d.kw; ++q) {
      for (std::int64_t c = 0; c < d.c / d.groups; ++c) {
        for (std::int64_t k = 0; k < d.k; ++k) {
          offsets.nhwc.push_back(w_index(hwio, p, q, c, k));
          offsets.other.push_back(w_index(d, p, q, c, k));
        }
      }
    }
  }
  return offsets;
}

/// change(from, to) moves the elements at the offsets `from` to the offsets `to`.
template <class Change>
Failure wrong_change(const std::vector<std::int64_t>& from, const std::vector<std::int64_t>& to, Guard guard,
                     Change change) {
  const std::vector<float> values = iota_floats(std::ssize(from));
  GuardedInput in(values, guard);
  CheckedOutput out(std::ssize(to));
  for (std::size_t i = 0; i < from.size(); ++i) out.expect(to[i], at(values, from[i]));
  change(in.data(), out.data());
  return out.failure();
}

/// `kernel` writes all of `out`, which must equal `expected`.
template <class Kernel>
Failure wrong_values(const std::vector<float>& input, const std::vector<double>& expected, Guard guard, Kernel kernel) {
  GuardedInput in(input, guard);
  CheckedOutput out(std::ssize(expected));
  for (std::size_t i = 0; i < expected.size(); ++i) {
    out.expect(static_cast<std::int64_t>(i), static_cast<float>(expected[i]));
  }
  kernel(in.data(), out.data());
  return out.failure();
}

constexpr Guard kGuards[] = {Guard::behind, Guard::in_front};

}  // namespace

TEST_CASE("activations convert between layouts, around the sizes of a tile and of a cache line", "[transforms]") {
  Failures failures;
  for (const Guard guard : kGuards) {
    for (const std::int64_t n : {0, 1, 3}) {
      for (const std::int64_t c : {1, 2, 15, 16, 17, 33}) {
        for (const std::int64_t pixels : {0, 1, 2, 15, 16, 17, 35}) {
          const Offsets offsets = activation_offsets(n, c, pixels);
          failures.add(
              wrong_change(offsets.other, offsets.nhwc, guard,
                           [&](const float* in, float* out) { activation_nchw_to_nhwc(in, n, c, pixels, out); }),
              std::string("to NHWC, n, c, pixels:"), n, c, pixels);
          failures.add(
              wrong_change(offsets.nhwc, offsets.other, guard,
                           [&](const float* in, float* out) { activation_nhwc_to_nchw(in, n, c, pixels, out); }),
              std::string("to NCHW, n, c, pixels:"), n, c, pixels);
        }
      }
    }
  }
  CHECK_THAT(failures, NoFailure());
}

TEST_CASE("weights convert between layouts, with groups too", "[transforms]") {
  Failures failures;
  const auto check = [&](const auto& name, const ConvDesc& d, const Sizes&, const Geometry& g, Rng&) {
    const Offsets offsets = weight_offsets(d);
    const std::string layout(to_string(d.weights_layout));
    for (const Guard guard : kGuards) {
      failures.add(wrong_change(offsets.other, offsets.nhwc, guard,
                                [&](const float* in, float* out) { weights_to_hwio(g, in, out); }),
                   name + " from " + layout);
      failures.add(wrong_change(offsets.nhwc, offsets.other, guard,
                                [&](const float* in, float* out) { weights_from_hwio(g, in, out); }),
                   name + " to " + layout);
    }
  };
  for (const WeightsLayout weights : {WeightsLayout::oihw, WeightsLayout::ohwi}) {
    for_each_problem(Layout::nhwc, weights, 63, check);
  }
  CHECK_THAT(failures, NoFailure());
}

TEST_CASE("the views of x, y and w address every element of all layouts", "[transforms]") {
  const auto check = [](const auto& name, const ConvDesc& d, const Sizes& s, const Geometry& g, Rng&) {
    CAPTURE(name, to_string(d.layout), to_string(d.weights_layout));
    const std::vector<float> x = iota_floats(s.x_size), w = iota_floats(s.w_size), y = iota_floats(s.y_size);
    const auto x_of = x_view(x.data(), g), w_of = w_view(w.data(), g), y_of = y_view(y.data(), g);
    std::int64_t wrong = 0;
    for_each_tap(d, s, [&](const Tap& t) {
      const std::int64_t row = t.i * d.stride_h + t.p * d.dilation_h - s.padding.top;
      const std::int64_t col = t.j * d.stride_w + t.q * d.dilation_w - s.padding.left;
      if (t.x >= 0) wrong += x_of(t.n, row, col, t.group * s.group_c + t.channel) != at(x, t.x);
      for (std::int64_t filter = t.group * s.group_k; filter < (t.group + 1) * s.group_k; ++filter) {
        wrong += y_of(t.n, t.i, t.j, filter) != at(y, y_index(d, s, t.n, t.i, t.j, filter));
        wrong += w_of(t.p, t.q, t.channel, filter) != at(w, w_index(d, t.p, t.q, t.channel, filter));
      }
    });
    CHECK(wrong == 0);
  };
  for_each_problem(Layout::nhwc, WeightsLayout::hwio, 64, check);
  for_each_problem(Layout::nchw, WeightsLayout::oihw, 64, check);
  for_each_problem(Layout::nhwc, WeightsLayout::ohwi, 64, check);
}

TEST_CASE("padding, dy with inserted zeros and exchanged weights match the descriptions of their stages",
          "[transforms]") {
  Failures failures;
  const auto check = [&](const auto& name, const ConvDesc& d, const Sizes& s, const Geometry& g, Rng&) {
    const TensorValues t{.x = iota_floats(s.x_size), .w = iota_floats(s.w_size), .dy = iota_floats(s.y_size)};
    const auto expected = [&](Stage stage) { return expected_stage(d, s, stage, {}, t).values; };
    const std::string where = name + " " + to_string(d.layout) + " " + std::string(to_string(d.weights_layout));
    for (const Guard guard : kGuards) {
      failures.add(
          wrong_values(t.x, expected(Stage::x_padded), guard, [&](const float* in, float* out) { pad_x(g, in, out); }),
          where + " x_padded");
      for (const auto& [stage, grid] :
           {std::pair(Stage::dy_upsampled, inserted_grid(g)), std::pair(Stage::dy_extended, extended_grid(g)),
            std::pair(Stage::dy_inserted, full_grid(g))}) {
        failures.add(wrong_values(t.dy, expected(stage), guard,
                                  [&](const float* in, float* out) { upsample_dy(g, grid, in, out); }),
                     where + " " + std::string(to_string(stage)));
      }
      for (const bool flip : {false, true}) {
        failures.add(wrong_values(t.w, expected(flip ? Stage::w_flipped : Stage::w_exchanged), guard,
                                  [&](const float* in, float* out) { swap_weight_channels(g, in, flip, out); }),
                     where + " w, flipped:", flip);
      }
    }
  };
  for_each_problem(Layout::nhwc, WeightsLayout::hwio, 65, check);
  for_each_problem(Layout::nchw, WeightsLayout::oihw, 65, check);
  for_each_problem(Layout::nchw, WeightsLayout::ohwi, 65, check);
  CHECK_THAT(failures, NoFailure());
}
