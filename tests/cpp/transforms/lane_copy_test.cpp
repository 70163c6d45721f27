#include "transforms/lane_copy.hpp"

#include <catch2/catch_test_macros.hpp>

#include "support/matchers.hpp"
#include "transforms/problems.hpp"

using namespace conv2d;
using namespace conv2d::test;

TEST_CASE("runs of any length are copied or cleared exactly", "[transforms]") {
  Failures failures;
  for (const Guard guard : {Guard::behind, Guard::in_front}) {
    for (std::int64_t count = 0; count <= kLongCopy + 20; ++count) {
      const std::vector<float> values = iota_floats(count);
      GuardedInput in(values, guard);
      CheckedOutput copy(count), zeros(count);
      for (std::int64_t i = 0; i < count; ++i) {
        copy.expect(i, at(values, i));
        zeros.expect(i, 0.0F);
      }
      CHECK(copy_floats(in.data(), count, copy.data()) == copy.data() + count);
      CHECK(zero_floats(count, zeros.data()) == zeros.data() + count);
      failures.add(copy.failure(), std::string("copied"), count);
      failures.add(zeros.failure(), std::string("cleared"), count);
    }
  }
  CHECK_THAT(failures, NoFailure());
}

TEST_CASE("lanes of any width are copied or cleared row by row, without the gaps between rows", "[transforms]") {
  Failures failures;
  for (const Guard guard : {Guard::behind, Guard::in_front}) {
    for (std::int64_t count = 0; count <= 33; ++count) {
      for (std::int64_t rows = 0; rows <= 3; ++rows) {
        // The same row every time, rows that overlap, and separate rows.
        for (const std::int64_t from_step : {std::int64_t{0}, std::int64_t{1}, count + 2}) {
          for (const std::int64_t to_step : {count, count + 3}) {
            const bool any = count > 0 && rows > 0;
            const std::vector<float> values = iota_floats(any ? (rows - 1) * from_step + count : 0);
            GuardedInput in(values, guard);
            const std::int64_t to_size = any ? (rows - 1) * to_step + count : 0;
            CheckedOutput copy(to_size), zeros(to_size);
            for (std::int64_t r = 0; r < rows; ++r) {
              for (std::int64_t i = 0; i < count; ++i) {
                copy.expect(r * to_step + i, at(values, r * from_step + i));
                zeros.expect(r * to_step + i, 0.0F);
              }
            }
            copy_lanes(count, rows, in.data(), from_step, copy.data(), to_step);
            zero_lanes(count, rows, zeros.data(), to_step);
            failures.add(copy.failure(), std::string("copied, count, rows, steps:"), count, rows, from_step, to_step);
            failures.add(zeros.failure(), std::string("cleared, count, rows, step:"), count, rows, to_step);
          }
        }
      }
    }
  }
  CHECK_THAT(failures, NoFailure());
}
