#include "session/buffer.hpp"

#include <array>
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <set>
#include <vector>

#include "session/fixture.hpp"
#include "support/matchers.hpp"

using namespace conv2d;
using namespace conv2d::session;
using namespace conv2d::test;

namespace {

/// The documented generator of values.hpp, in double where that is exact: the states that follow a seed.
std::vector<double> states(std::uint32_t seed, std::size_t count) {
  std::vector<double> all;
  std::uint64_t state = seed;
  for (std::size_t i = 0; i < count; ++i) {
    state = (1664525 * state + 1013904223) % (std::uint64_t{1} << 32);
    all.push_back(static_cast<double>(state));
  }
  return all;
}

constexpr std::uint32_t kSeeds[]{0, 1, 7, 2026, 0x7fffffff, 0xffffffff};

}  // namespace

TEST_CASE("random integers are from -4 to 4 and depend on the seed only", "[session]") {
  for (const std::uint32_t seed : kSeeds) {
    std::vector<float> values(5000);
    random_values(seed, values);
    std::vector<double> expected;
    for (const double state : states(seed, values.size())) {
      expected.push_back(std::floor(std::floor(state / 256) * 9 / 16777216) - 4);
    }
    CHECK_THAT(values, Equals(expected));
    CHECK(std::set<float>(values.begin(), values.end()) == std::set<float>{-4, -3, -2, -1, 0, 1, 2, 3, 4});
    std::vector<float> fewer(100);
    random_values(seed, fewer);
    CHECK(std::ranges::equal(fewer, std::span(values).first(100)));
  }
}

TEST_CASE("pixels become values from 0 to 1, in color or gray, and alpha is ignored", "[session]") {
  std::vector<std::uint8_t> rgba;
  for (int i = 0; i < 256; ++i) {
    for (const int part : {i, 255 - i, (i * 37) % 256, (i * 11) % 256}) rgba.push_back(static_cast<std::uint8_t>(part));
  }
  std::vector<float> colour(3 * 256), grey(256);
  values_of_pixels(rgba, 3, colour);
  values_of_pixels(rgba, 1, grey);
  std::vector<double> expected_colour, expected_grey;
  for (std::size_t i = 0; i < 256; ++i) {
    const double r = rgba[4 * i], g = rgba[4 * i + 1], b = rgba[4 * i + 2];
    for (const double part : {r, g, b}) expected_colour.push_back(part / 255);
    expected_grey.push_back((0.299 * r + 0.587 * g + 0.114 * b) / 255);
  }
  CHECK_THAT(colour, Equals(expected_colour, {.relative = 1e-7}));
  CHECK_THAT(grey, Equals(expected_grey, {.relative = 4e-7}));
  CHECK(std::ranges::all_of(grey, [](float value) { return value >= 0 && value <= 1; }));
  const std::array<std::uint8_t, 4> white{255, 255, 255, 0};
  values_of_pixels(white, 1, std::span(grey).first(1));
  CHECK(std::abs(grey[0] - 1) < 1e-6F);
  const std::vector<float> before = colour;
  for (std::size_t i = 3; i < rgba.size(); i += 4) rgba[i] = static_cast<std::uint8_t>(~rgba[i]);
  values_of_pixels(rgba, 3, colour);
  CHECK(colour == before);
}

TEST_CASE("the pixels of a session become a tensor once", "[session]") {
  Session session;
  for (const std::int64_t channels : {1, 3}) {
    REQUIRE(session.reserve_pixels(2 * 4).ok());
    const std::array<std::uint8_t, 8> rgba{255, 0, 51, 9, 0, 0, 0, 255};
    std::ranges::copy(rgba, session.pixels().begin());
    REQUIRE(session.tensor_of_pixels(channels).ok());
    const std::vector<double> grey{(0.299 * 255 + 0.114 * 51) / 255, 0};
    const std::vector<double> colour{1, 0, 0.2, 0, 0, 0};
    CHECK_THAT(session.values(of(Slot::result)), Equals(channels == 1 ? grey : colour, {.relative = 4e-7}));
    CHECK(session.pixels().empty());
  }
  REQUIRE(session.tensor_of_pixels(3).ok());
  CHECK(session.values(of(Slot::result)).empty());
}

TEST_CASE("a random dy has the size of y, and depends on the seed only", "[session]") {
  Session session;
  CHECK(session.random_dy(1).field == "layers");
  REQUIRE(set_one(session, {.n = 2, .h = 5, .w = 4, .c = 3, .k = 2, .kh = 2, .kw = 2}).ok());
  std::vector<float> expected(2 * 4 * 3 * 2);
  random_values(12, expected);
  REQUIRE(session.random_dy(12).ok());
  CHECK(copy(session.values(of(Slot::dy))) == expected);
  REQUIRE(session.random_dy(13).ok());
  CHECK(copy(session.values(of(Slot::dy))) != expected);
  REQUIRE(session.random_dy((std::int64_t{5} << 32) + 12).ok());
  CHECK(copy(session.values(of(Slot::dy))) == expected);
}
