#include <bit>
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <cstring>
#include <limits>
#include <utility>

#include "kernels/tested_sets.hpp"
#include "support/checked_memory.hpp"
#include "support/matchers.hpp"

using namespace conv2d::test;

// The operations of simd/batch.hpp, the only ones that the kernels use: on every instruction set, at any address.

namespace {

/// Values that reveal wrong arithmetic: fractions, large and small numbers, both zeros, NaN.
std::vector<float> edge_values(std::size_t size, Rng& rng) {
  constexpr float kSpecial[] = {0.0F,
                                -0.0F,
                                1.0F,
                                1e-40F,
                                3e38F,
                                std::numeric_limits<float>::infinity(),
                                std::numeric_limits<float>::quiet_NaN()};
  std::vector<float> values(size);
  for (float& value : values) {
    value = rng.one_in(8) ? kSpecial[rng.between(0, std::ssize(kSpecial) - 1)] : 100.0F * rng.real();
  }
  return values;
}

/// Whether two values are equal; any two NaN are equal here.
Failure difference_of_values(std::span<float> got, std::vector<float> expected) {
  for (std::size_t i = 0; i < expected.size(); ++i) {
    if (std::isnan(got[i]) && std::isnan(expected[i])) got[i] = expected[i];
  }
  return difference_of_bits(got, expected);
}

}  // namespace

TEST_CASE("loads, stores and broadcasts move every lane to its position", "[micro]") {
  Rng rng(31);
  for_each_set([&](const TestedSet& set) {
    INFO(set.name());
    const auto lanes = static_cast<std::size_t>(set.operations->lanes);
    REQUIRE(set.operations->lanes == set.kernels->lanes);
    for (std::size_t offset = 0; offset < lanes; ++offset) {
      const std::vector<float> values = edge_values(offset + lanes, rng);
      GuardedInput from(values);
      GuardedBuffer to(lanes), same(lanes);
      set.operations->copy(from.data() + offset, to.span().data());
      CHECK_THAT(to.span(), HasBitsOf(std::span(values).subspan(offset)));
      set.operations->broadcast(values[offset], same.span().data());
      CHECK_THAT(same.span(), HasBitsOf(std::vector<float>(lanes, values[offset])));
      CHECK((to.intact() && same.intact()));
    }
    exercised(set.name()).operations.insert({"load", "store", "broadcast"});
  });
}

TEST_CASE("sums, differences, products and quotients follow IEEE 754, and a multiply-add rounds once or twice",
          "[micro]") {
  Rng rng(32);
  for_each_set([&](const TestedSet& set) {
    INFO(set.name());
    const auto lanes = static_cast<std::size_t>(set.operations->lanes);
    for (int run = 0; run < 200; ++run) {
      const std::vector<float> a = edge_values(lanes, rng), b = edge_values(lanes, rng), c = edge_values(lanes, rng);
      GuardedInput in_a(a), in_b(b), in_c(c);
      std::vector<float> sum(lanes), less(lanes), product(lanes), quotient(lanes), once(lanes), twice(lanes);
      for (std::size_t i = 0; i < lanes; ++i) {
        sum[i] = a[i] + b[i];
        less[i] = a[i] - b[i];
        product[i] = a[i] * b[i];
        quotient[i] = a[i] / b[i];
        once[i] = std::fma(a[i], b[i], c[i]);
        twice[i] = product[i] + c[i];
      }
      GuardedBuffer got(lanes);
      const auto check = [&](const std::vector<float>& expected) -> Failure {
        if (!got.intact()) return "wrote outside its output";
        return difference_of_values(got.span(), expected);
      };
      set.operations->add(in_a.data(), in_b.data(), got.span().data());
      REQUIRE_THAT(check(sum), NoFailure());
      set.operations->subtract(in_a.data(), in_b.data(), got.span().data());
      REQUIRE_THAT(check(less), NoFailure());
      set.operations->multiply(in_a.data(), in_b.data(), got.span().data());
      REQUIRE_THAT(check(product), NoFailure());
      set.operations->divide(in_a.data(), in_b.data(), got.span().data());
      REQUIRE_THAT(check(quotient), NoFailure());
      set.operations->multiply_add(in_a.data(), in_b.data(), in_c.data(), got.span().data());
      if (check(once)) REQUIRE_THAT(check(twice), NoFailure());
    }
    exercised(set.name()).operations.insert({"add", "subtract", "multiply", "divide", "multiply-add"});
  });
}

TEST_CASE("the greater value is chosen with what belongs to it, NaN before any, and equal values stay", "[micro]") {
  Rng rng(35);
  for_each_set([&](const TestedSet& set) {
    INFO(set.name());
    const auto lanes = static_cast<std::size_t>(set.operations->lanes);
    for (int run = 0; run < 200; ++run) {
      const std::vector<float> a = edge_values(lanes, rng), b = run % 9 == 0 ? a : edge_values(lanes, rng);
      // Bits of integers: subnormal numbers and NaNs.
      std::vector<float> a_where(lanes), b_where(lanes), value(lanes), where(lanes);
      for (std::size_t i = 0; i < lanes; ++i) {
        a_where[i] = std::bit_cast<float>(static_cast<std::int32_t>(i));
        b_where[i] = std::bit_cast<float>(-1 - static_cast<std::int32_t>(i));
        const bool first = a[i] > b[i] || std::isnan(a[i]);
        value[i] = first ? a[i] : b[i];
        where[i] = first ? a_where[i] : b_where[i];
      }
      GuardedBuffer got_value(lanes), got_where(lanes);
      set.operations->greater_or_nan(a.data(), a_where.data(), b.data(), b_where.data(), got_value.span().data(),
                                     got_where.span().data());
      REQUIRE_THAT(got_value.span(), HasBitsOf(value));
      const bool same_bits = std::memcmp(got_where.span().data(), where.data(), lanes * sizeof(float)) == 0;
      REQUIRE(same_bits);
      CHECK((got_value.intact() && got_where.intact()));
    }
    exercised(set.name()).operations.insert({"greater", "not equal", "select"});
  });
}

TEST_CASE("a clamp moves values to its ends, and leaves NaN", "[micro]") {
  Rng rng(36);
  for_each_set([&](const TestedSet& set) {
    INFO(set.name());
    const auto lanes = static_cast<std::size_t>(set.operations->lanes);
    for (int run = 0; run < 200; ++run) {
      const std::vector<float> values = edge_values(lanes, rng);
      const float inf = std::numeric_limits<float>::infinity();
      const std::pair<float, float> ends[] = {{0.0F, inf}, {0.0F, 6.0F}, {-0.0F, 0.0F}, {-inf, -1.0F}, {-inf, inf}};
      const auto [lowest, highest] = ends[rng.between(0, std::ssize(ends) - 1)];
      std::vector<float> expected = values;
      for (float& value : expected) {
        if (value <= lowest) value = lowest;
        if (value >= highest) value = highest;
      }
      GuardedBuffer got(lanes);
      set.operations->clamped(values.data(), lowest, highest, got.span().data());
      REQUIRE_THAT(got.span(), HasBitsOf(expected));
      CHECK(got.intact());
    }
    exercised(set.name()).operations.insert("clamp");
  });
}

TEST_CASE("a partial copy copies the first floats and accesses none beyond them", "[micro]") {
  for_each_set([&](const TestedSet& set) {
    Failures failures;
    for (std::ptrdiff_t count = 0; count <= 4 * set.operations->lanes + 1; ++count) {
      for (const Guard guard : {Guard::behind, Guard::in_front}) {
        const std::vector<float> values = iota_floats(count);
        GuardedInput from(values, guard);
        CheckedOutput to(count);
        for (std::ptrdiff_t i = 0; i < count; ++i) to.expect(i, values[static_cast<std::size_t>(i)]);
        set.operations->copy_first(from.data(), count, to.data());
        failures.add(to.failure(), set.name(), count);
      }
    }
    CHECK_THAT(failures, NoFailure());
    exercised(set.name()).operations.insert("copy_first");
  });
}

// xsimd 13.2.0's haddp, which batch.hpp does without, fails this on a processor with AVX-512.
TEST_CASE("lane sums add every lane of every register once, into the sum of its register", "[micro]") {
  Rng rng(34);
  for_each_set([&](const TestedSet& set) {
    Failures failures;
    const std::ptrdiff_t lanes = set.operations->lanes;
    for (std::ptrdiff_t count = 1; count <= kMostSums; ++count) {
      const auto check = [&](const std::vector<float>& values, std::ptrdiff_t one) {
        GuardedInput from(values);
        CheckedOutput to(count);
        for (std::ptrdiff_t i = 0; i < count; ++i) {
          Sum sum;
          for (std::ptrdiff_t lane = 0; lane < lanes; ++lane) {
            sum.add(values[static_cast<std::size_t>(i * lanes + lane)]);
          }
          to.expect(i, sum);
        }
        set.operations->sums[count - 1](from.data(), to.data());
        failures.add(to.failure(), set.name(), count, one);
      };
      for (std::ptrdiff_t one = 0; one < count * lanes; ++one) {
        std::vector<float> values(static_cast<std::size_t>(count * lanes));
        values[static_cast<std::size_t>(one)] = 1;
        check(values, one);
      }
      check(numbers(count * lanes, Data::integers, rng), -1);
    }
    CHECK_THAT(failures, NoFailure());
    exercised(set.name()).operations.insert("sums");
  });
}
