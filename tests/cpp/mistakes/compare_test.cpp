#include "mistakes/compare.hpp"

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_floating_point.hpp>
#include <cmath>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include "support/matchers.hpp"

using namespace conv2d;
using namespace conv2d::mistakes;
using namespace conv2d::test;

namespace {

using Values = std::vector<float>;

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
constexpr float kInfinity = std::numeric_limits<float>::infinity();

struct Seen {
  std::int64_t worst;
  Values difference;
};

Seen subtracted(const Values& brought, const Values& right) {
  Values difference(right.size(), -7);
  const Difference result = subtract(brought, right, difference).value();
  return {.worst = result.worst, .difference = std::move(difference)};
}

}  // namespace

TEST_CASE("a comparison reports the differences and the cell with the largest one", "[mistakes]") {
  const auto [worst, difference] = subtracted({1, 2.25F, 3.5F, 4}, {1, 2, 3, 4});
  CHECK(difference == Values{0, 0.25F, 0.5F, 0});
  CHECK(worst == 2);
  CHECK(subtracted({1, 2, 3, 4}, {1, 2, 3, 4}).worst == -1);
}

TEST_CASE("NaN and infinities differ unless the expected value is the same", "[mistakes]") {
  const auto [worst, difference] = subtracted({kNan, 2, kInfinity}, {1, 5, kInfinity});
  CHECK(worst == 0);
  CHECK(std::isnan(difference[0]));
  CHECK(difference[1] == -3);
  CHECK(difference[2] == 0);
  CHECK(subtracted({kNan}, {kNan}).worst == -1);
}

TEST_CASE("arrays of different lengths are refused", "[mistakes]") {
  Values difference(2);
  CHECK_THAT(subtract(Values{1}, Values{1, 2}, difference), Fails(ErrorCode::length_mismatch, "user_result"));
  CHECK_THAT(subtract(Values{1}, Values{1}, difference), Fails(ErrorCode::length_mismatch, "difference"));
}

TEST_CASE("the tolerance of a case file is that of the element with the largest products", "[mistakes]") {
  Values magnitudes{-1, 2, -50, 3};
  CHECK_THAT(rounding(magnitudes), Catch::Matchers::WithinRel(4e-6 * 3, 1e-6));
  drop_signs(magnitudes);
  CHECK(magnitudes == Values{1, 2, 50, 3});
  CHECK_THAT(rounding(magnitudes), Catch::Matchers::WithinRel(4e-6 * 50, 1e-6));
  CHECK(rounding({}) == 0);
}
