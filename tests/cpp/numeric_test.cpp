#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <limits>
#include <vector>

#include "conv2d_teach/numeric.hpp"
#include "support/matchers.hpp"

using namespace conv2d;
using conv2d::test::Fails, conv2d::test::Succeeds;

namespace {

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
constexpr float kInf = std::numeric_limits<float>::infinity();

}  // namespace

TEST_CASE("the norm is the root of the sum of squares, in double") {
  CHECK(norm(std::vector<float>{3, -4, 12}) == 13);
  CHECK(std::abs(norm(std::vector<float>{3e30F, 4e30F}) / 5e30 - 1) < 1e-6);
  CHECK(norm({}) == 0);
}

TEST_CASE("statistics cover the finite elements only") {
  const std::vector<float> values{3, kNan, -7.5f, kInf, 2, -kInf};
  const TensorStats stats = tensor_stats(values);
  CHECK(stats.min == -7.5f);
  CHECK(stats.max == 3);
  CHECK(stats.max_abs == 7.5f);
  CHECK(stats.not_finite == 3);
}

TEST_CASE("statistics of one-sided data have no artificial zero") {
  const TensorStats positive = tensor_stats(std::vector<float>{5, 3, 4});
  CHECK(positive.min == 3);
  CHECK(positive.max == 5);
  const TensorStats negative = tensor_stats(std::vector<float>{-5, -3});
  CHECK(negative.max == -3);
  CHECK(negative.max_abs == 5);
}

TEST_CASE("statistics of an empty tensor are 0") {
  for (const std::vector<float>& values : {std::vector<float>{}, std::vector<float>{kNan, kInf}}) {
    const TensorStats stats = tensor_stats(values);
    CHECK(stats.min == 0);
    CHECK(stats.max == 0);
    CHECK(stats.max_abs == 0);
    CHECK(stats.not_finite == static_cast<std::int64_t>(values.size()));
  }
}

TEST_CASE("a relative error is the largest difference divided by the largest expected magnitude") {
  const std::vector<float> expected{1, -8, 0.5f};
  CHECK(relative_error(expected, expected) == 0);
  CHECK(relative_error(std::vector<float>{1.5f, -8, 0.5f}, expected) == 0.5 / 8);
  CHECK(relative_error(std::vector<float>{1, -8, -1.5f}, expected) == 2.0 / 8);
  CHECK(relative_error(std::vector<float>{0.25f, -3}, std::vector<float>{0, 0}) == 3);
  CHECK(relative_error(std::vector<float>{}, std::vector<float>{}) == 0);
  CHECK(relative_error(std::vector<float>{3e38f}, std::vector<float>{-3e38f}) == 2);  // computed in double
  const double infinite = std::numeric_limits<double>::infinity();
  CHECK(relative_error(std::vector<float>{1, -8}, expected) == infinite);
  CHECK(relative_error(std::vector<float>{1, kNan, 0.5f}, expected) == infinite);
  CHECK(relative_error(expected, std::vector<float>{1, -8, kNan}) == infinite);
  CHECK(relative_error(expected, std::vector<float>{1, -8, kInf}) == infinite);
  CHECK(relative_error(std::vector<float>{kInf}, std::vector<float>{kInf}) == infinite);
}

TEST_CASE("the largest difference of two tensors is found") {
  CHECK(max_abs_difference(std::vector<float>{1, 2, 3}, std::vector<float>{1, -2, 3.5f}).value() == 4);
  CHECK(max_abs_difference(std::vector<float>{1, -2}, std::vector<float>{1, 3}).value() == 5);
  CHECK(max_abs_difference(std::vector<float>{0, 0, 2}, std::vector<float>{3, 0, 0}).value() == 3);
  CHECK(max_abs_difference(std::vector<float>{}, std::vector<float>{}).value() == 0);
  CHECK(std::isnan(max_abs_difference(std::vector<float>{kNan, 2}, std::vector<float>{1, 9}).value()));
  CHECK(std::isnan(max_abs_difference(std::vector<float>{2, 1}, std::vector<float>{9, kNan}).value()));
  // In float the difference would be infinite.
  CHECK(max_abs_difference(std::vector<float>{3e38f}, std::vector<float>{-3e38f}).value() ==
        static_cast<double>(3e38f) + static_cast<double>(3e38f));
  const auto other_length = max_abs_difference(std::vector<float>{1}, std::vector<float>{1, 2});
  CHECK_THAT(other_length, Fails(ErrorCode::length_mismatch));
}

TEST_CASE("products of chosen elements and their sum count padding as 0") {
  const std::vector<float> a{2, 3, 5}, b{7, 11};
  const std::vector<std::int32_t> index_a{0, 2, -1, 1}, index_b{1, 0, 0, -1};
  std::vector<float> out(4, kNan);
  CHECK(products(a, index_a, b, index_b, out).value() == 22 + 35);
  CHECK(out == std::vector<float>{22, 35, 0, 0});
}

TEST_CASE("the sum of products is accumulated in double, each product rounded to float") {
  const std::vector<float> a{1e8f, 1, -1e8f}, b{1};
  std::vector<float> out(3);
  CHECK(products(a, std::vector<std::int32_t>{0, 1, 2}, b, std::vector<std::int32_t>{0, 0, 0}, out).value() == 1);
  const std::vector<float> third{1.0f / 3};
  std::vector<float> square(1);
  const std::vector<std::int32_t> first{0};
  CHECK(products(third, first, third, first, square).value() == static_cast<double>(third[0] * third[0]));
}

TEST_CASE("products reject an index outside its tensor, by name") {
  const std::vector<float> a{2, 3, 5}, b{7, 11};
  std::vector<float> out(1);
  const auto with = [&](std::int32_t i, std::int32_t j) {
    return products(a, std::vector<std::int32_t>{i}, b, std::vector<std::int32_t>{j}, out).status();
  };
  CHECK_THAT(with(0, 0), Succeeds());
  CHECK_THAT(with(3, 0), Fails(ErrorCode::invalid_argument, "index_a", {"3"}));
  CHECK_THAT(with(0, 2), Fails(ErrorCode::invalid_argument, "index_b"));
}

TEST_CASE("products reject lists of different lengths") {
  const std::vector<float> a{2}, b{7};
  const std::vector<std::int32_t> one{0}, two{0, 0};
  std::vector<float> out(1);
  CHECK_THAT(products(a, two, b, one, out), Fails(ErrorCode::length_mismatch));
  CHECK_THAT(products(a, one, b, two, out), Fails(ErrorCode::length_mismatch));
  CHECK_THAT(products(a, two, b, two, out), Fails(ErrorCode::length_mismatch));
}

TEST_CASE("without a second factor the elements themselves are added") {
  const std::vector<float> a{2, 3, 5};
  std::vector<float> out(4, kNan);
  CHECK(products(a, std::vector<std::int32_t>{2, -1, 0, 2}, {}, {}, out).value() == 12);
  CHECK(out == std::vector<float>{5, 0, 2, 5});
}

TEST_CASE("subtotals of segments match a loop in double; the last segment may be shorter") {
  std::vector<float> values(23);
  for (std::size_t t = 0; t < values.size(); ++t) values[t] = 0.1F * static_cast<float>(t * t) - 7;
  for (const std::size_t length : {1, 2, 5, 22, 23, 40}) {
    std::vector<double> expected((values.size() + length - 1) / length, 0);
    for (std::size_t t = 0; t < values.size(); ++t) expected[t / length] += static_cast<double>(values[t]);
    std::vector<float> sums(expected.size(), kNan);
    REQUIRE_THAT(subtotals(values, length, sums), Succeeds());
    for (std::size_t t = 0; t < sums.size(); ++t) CHECK(sums[t] == static_cast<float>(expected[t]));
  }
  // In float the 1 would be lost.
  std::vector<float> one(1);
  REQUIRE_THAT(subtotals(std::vector<float>{1e8f, 1, -1e8f}, 3, one), Succeeds());
  CHECK(one[0] == 1);
  CHECK_THAT(subtotals({}, 4, {}), Succeeds());
}

TEST_CASE("subtotals reject empty segments and a wrong number of sums") {
  const std::vector<float> values{1, 2, 3};
  std::vector<float> two(2), three(3);
  CHECK_THAT(subtotals(values, 0, two), Fails(ErrorCode::invalid_argument, "length"));
  CHECK_THAT(subtotals(values, 2, two), Succeeds());
  CHECK_THAT(subtotals(values, 2, three), Fails(ErrorCode::length_mismatch));
  CHECK_THAT(subtotals(values, 1, two), Fails(ErrorCode::length_mismatch, "sums_out"));
}

TEST_CASE("both sides of the adjoint identity and their difference are computed") {
  std::vector<float> out(4);
  // C = (1 2 3; 0 -1 4): C x = (14, 10), C^T dy = (5, 0, 55) for dy = (5, 10) and x = (1, 2, 3).
  const std::vector<float> cx{14, 10}, dy{5, 10}, x{1, 2, 3}, dx{5, 0, 55};
  REQUIRE_THAT(adjoint_check(cx, dy, x, dx, out), Succeeds());
  CHECK(out == std::vector<float>{170, 170, 0, 0});
  // Sums in double: 1e15 - 1e15 + 2 is 2. The difference is relative to the magnitude of the terms.
  const std::vector<float> large{1e15f, -1e15f, 2}, ones{1, 1, 1};
  REQUIRE_THAT(adjoint_check(large, ones, std::vector<float>{4}, std::vector<float>{1}, out), Succeeds());
  CHECK(out[0] == 2);
  CHECK(out[1] == 4);
  CHECK(out[2] == 2);
  CHECK(out[3] > 0);
  CHECK(out[3] < 1e-14f);
  REQUIRE_THAT(adjoint_check(cx, dy, x, std::vector<float>{6, 0, 55}, out), Succeeds());
  CHECK(out == std::vector<float>{170, 171, 1, static_cast<float>(1.0 / 171)});
  REQUIRE_THAT(adjoint_check({}, {}, {}, {}, out), Succeeds());
  CHECK(out == std::vector<float>{0, 0, 0, 0});
  CHECK_THAT(adjoint_check(cx, x, x, dx, out), Fails(ErrorCode::length_mismatch));
  CHECK_THAT(adjoint_check(cx, dy, cx, dx, out), Fails(ErrorCode::length_mismatch));
  CHECK_THAT(adjoint_check(cx, dy, x, dx, std::span(out).first(3)), Fails(ErrorCode::length_mismatch));
}
