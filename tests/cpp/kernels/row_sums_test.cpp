#include <catch2/catch_test_macros.hpp>
#include <limits>

#include "kernels/tested_sets.hpp"
#include "support/checked_memory.hpp"
#include "support/matchers.hpp"

using namespace conv2d::micro_kernels;
using namespace conv2d::test;

namespace {

enum class Start { zeros, row, out };

Failure wrong_products(const KernelSet& k, std::ptrdiff_t columns, std::ptrdiff_t count, Start starts,
                       const Trial& trial, Rng& rng) {
  // Rows are contiguous, so they start at every alignment.
  const std::vector<float> a = numbers(count * columns, trial.data, rng), b = numbers(count * columns, trial.data, rng);
  const std::vector<float> start = numbers(columns, trial.data, rng);
  GuardedInput in_a(a, trial.guard), in_b(b, trial.guard), in_start(start, trial.guard);
  std::vector<RowPair> pairs;
  for (std::ptrdiff_t t = 0; t < count; ++t) pairs.push_back({in_a.data() + t * columns, in_b.data() + t * columns});
  CheckedOutput out(columns, trial.data);
  for (std::ptrdiff_t j = 0; j < columns; ++j) {
    const float first = start[static_cast<std::size_t>(j)];
    out.set_initial(j, starts == Start::out ? first : std::numeric_limits<float>::quiet_NaN());
    Sum sum;
    if (starts != Start::zeros) sum.add(first);
    for (std::ptrdiff_t t = 0; t < count; ++t) {
      const auto at = static_cast<std::size_t>(t * columns + j);
      sum.add(a[at], b[at]);
    }
    out.expect(j, sum);
  }
  const float* from = starts == Start::out ? out.data() : starts == Start::row ? in_start.data() : nullptr;
  k.product_sum({.pairs = pairs.data(), .count = count, .columns = columns, .start = from, .out = out.data()});
  return out.failure();
}

Failure wrong_sums(const KernelSet& k, std::ptrdiff_t columns, std::ptrdiff_t count, const Trial& trial, Rng& rng) {
  const std::ptrdiff_t row_stride = columns + count % 3;
  const std::vector<float> rows = numbers(count == 0 ? 0 : (count - 1) * row_stride + columns, trial.data, rng);
  GuardedInput in(rows, trial.guard);
  CheckedOutput out(columns, trial.data);
  for (std::ptrdiff_t j = 0; j < columns; ++j) {
    Sum sum;
    for (std::ptrdiff_t t = 0; t < count; ++t) sum.add(rows[static_cast<std::size_t>(t * row_stride + j)]);
    out.set_initial(j, std::numeric_limits<float>::quiet_NaN());
    out.expect(j, sum);
  }
  k.row_sum({.rows = in.data(), .count = count, .row_stride = row_stride, .columns = columns, .out = out.data()});
  return out.failure();
}

}  // namespace

TEST_CASE("product_sum: all columns, any number of pairs, starting from zeros, a row or its own output", "[micro]") {
  Rng rng(49);
  for_each_set([&](const TestedSet& set) {
    Failures failures;
    for (std::ptrdiff_t columns = 0; columns <= 6 * set.kernels->lanes + 1; ++columns) {
      for (std::ptrdiff_t count = 0; count <= 4; ++count) {
        for (const Start start : {Start::zeros, Start::row, Start::out}) {
          for (const Trial& trial : kTrials) {
            failures.add(wrong_products(*set.kernels, columns, count, start, trial, rng),
                         set.name() + " columns, pairs, start:", columns, count, static_cast<int>(start));
          }
        }
      }
    }
    CHECK_THAT(failures, NoFailure());
    exercised(set.name()).kernels.insert("product_sum");
  });
}

TEST_CASE("row_sum: all columns, any number of rows", "[micro]") {
  Rng rng(50);
  for_each_set([&](const TestedSet& set) {
    Failures failures;
    for (std::ptrdiff_t columns = 0; columns <= 6 * set.kernels->lanes + 1; ++columns) {
      for (std::ptrdiff_t count = 0; count <= 6; ++count) {
        for (const Trial& trial : kTrials) {
          failures.add(wrong_sums(*set.kernels, columns, count, trial, rng), set.name() + " columns, rows:", columns,
                       count);
        }
      }
    }
    CHECK_THAT(failures, NoFailure());
    exercised(set.name()).kernels.insert("row_sum");
  });
}
