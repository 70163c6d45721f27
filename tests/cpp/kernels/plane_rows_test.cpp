#include <catch2/catch_test_macros.hpp>

#include "kernels/tested_sets.hpp"
#include "support/checked_memory.hpp"
#include "support/matchers.hpp"

using namespace conv2d::micro_kernels;
using namespace conv2d::test;

namespace {

Failure wrong_rows(const KernelSet& k, int rows, std::ptrdiff_t columns, std::ptrdiff_t tap_rows,
                   std::ptrdiff_t tap_columns, bool flipped, const Trial& trial, Rng& rng) {
  const std::ptrdiff_t tap_column = 1 + columns % 2;
  // Elements are read up to the end of the register of the last column, and not beyond.
  const std::ptrdiff_t registers = (columns + k.lanes - 1) / k.lanes * k.lanes;
  const std::ptrdiff_t row = registers + (tap_columns - 1) * tap_column + 1;
  const std::ptrdiff_t tap_row = 2 * row;
  const std::ptrdiff_t in_floats =
      (rows - 1) * row + (tap_rows - 1) * tap_row + (tap_columns - 1) * tap_column + registers;
  const std::vector<float> in = numbers(in_floats, trial.data, rng);
  const std::vector<float> w = numbers(tap_rows * tap_columns, trial.data, rng);
  GuardedInput cells(in, trial.guard), weights(w, trial.guard);
  const std::ptrdiff_t out_row = columns + 3;
  CheckedOutput out((rows - 1) * out_row + columns, trial.data);
  for (std::ptrdiff_t r = 0; r < rows; ++r) {
    for (std::ptrdiff_t j = 0; j < columns; ++j) {
      Sum sum;
      sum.add(2.5F);
      for (std::ptrdiff_t p = 0; p < tap_rows; ++p) {
        for (std::ptrdiff_t q = 0; q < tap_columns; ++q) {
          const std::ptrdiff_t tap = p * tap_columns + q;
          sum.add(in[static_cast<std::size_t>(r * row + p * tap_row + j + q * tap_column)],
                  w[static_cast<std::size_t>(flipped ? tap_rows * tap_columns - 1 - tap : tap)]);
        }
      }
      out.expect(r * out_row + j, sum);
    }
  }
  k.plane_rows({.in = cells.data(),
                .row = row,
                .tap_row = tap_row,
                .tap_column = tap_column,
                .w = weights.data() + (flipped ? tap_rows * tap_columns - 1 : 0),
                .w_row = flipped ? -tap_columns : tap_columns,
                .w_column = flipped ? -1 : 1,
                .tap_rows = tap_rows,
                .tap_columns = tap_columns,
                .start = 2.5F,
                .out = out.data(),
                .out_row = out_row,
                .rows = rows,
                .columns = columns});
  return out.failure();
}

Failure wrong_copy(const KernelSet& k, std::ptrdiff_t rows, std::ptrdiff_t columns, std::ptrdiff_t top,
                   std::ptrdiff_t left, Guard guard) {
  const std::ptrdiff_t from_row = columns + 1, pitch = left + columns + rows % 3, to_rows = top + rows + 1;
  const std::vector<float> from = iota_floats(rows == 0 ? 0 : (rows - 1) * from_row + columns);
  GuardedInput in(from, guard);
  CheckedOutput to(to_rows * pitch);
  for (std::ptrdiff_t i = 0; i < to_rows; ++i) {
    for (std::ptrdiff_t j = 0; j < pitch; ++j) {
      const std::ptrdiff_t r = i - top, c = j - left;
      const bool inside = r >= 0 && r < rows && c >= 0 && c < columns;
      to.expect(i * pitch + j, inside ? from[static_cast<std::size_t>(r * from_row + c)] : 0.0F);
    }
  }
  k.plane_copy({.from = in.data(),
                .from_row = from_row,
                .rows = rows,
                .columns = columns,
                .to = to.data(),
                .pitch = pitch,
                .to_rows = to_rows,
                .top = top,
                .left = left});
  return to.failure();
}

}  // namespace

TEST_CASE("plane_rows: all rows and columns, one tap or more, weights flipped or not", "[micro]") {
  Rng rng(47);
  for_each_set([&](const TestedSet& set) {
    Failures failures;
    for (int rows = 1; rows <= kPlaneRows; ++rows) {
      for (std::ptrdiff_t columns = 1; columns <= 5 * set.kernels->lanes + 1; ++columns) {
        for (const bool flipped : {false, true}) {
          const std::ptrdiff_t tap_rows = 1 + columns % 3, tap_columns = 1 + (columns + rows) % 4;
          for (const Trial& trial : kTrials) {
            failures.add(wrong_rows(*set.kernels, rows, columns, tap_rows, tap_columns, flipped, trial, rng),
                         set.name() + " rows, columns, taps, flipped:", rows, columns, tap_rows, tap_columns, flipped);
          }
        }
      }
    }
    CHECK_THAT(failures, NoFailure());
    exercised(set.name()).kernels.insert("plane_rows");
  });
}

TEST_CASE("plane_copy: rows of all lengths between zeros", "[micro]") {
  for_each_set([&](const TestedSet& set) {
    Failures failures;
    for (std::ptrdiff_t columns = 0; columns <= 3 * set.kernels->lanes + 1; ++columns) {
      for (std::ptrdiff_t rows = 0; rows <= 4; ++rows) {
        for (const std::ptrdiff_t edge : {0, 1, 3}) {
          for (const Guard guard : {Guard::behind, Guard::in_front}) {
            failures.add(wrong_copy(*set.kernels, rows, columns, edge, 3 - edge, guard),
                         set.name() + " rows, columns, top:", rows, columns, edge);
          }
        }
      }
    }
    CHECK_THAT(failures, NoFailure());
    exercised(set.name()).kernels.insert("plane_copy");
  });
}
