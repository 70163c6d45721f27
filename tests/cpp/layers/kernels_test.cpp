#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <limits>
#include <vector>

#include "layer_kernels/layer_kernels.hpp"
#include "support/checked_memory.hpp"
#include "support/kernel_sets.hpp"
#include "support/matchers.hpp"

using namespace conv2d::layer_kernels;
using namespace conv2d::test;

namespace {

constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();
constexpr float kInfinity = std::numeric_limits<float>::infinity();

/// Small integers with many ties, and now and then a special value.
std::vector<float> cells_with_ties(std::int64_t size, Rng& rng, bool special) {
  std::vector<float> values(static_cast<std::size_t>(size));
  for (float& value : values) {
    value = static_cast<float>(rng.between(-3, 3));
    if (special && rng.one_in(9)) value = std::vector{kNaN, -kInfinity, kInfinity, -0.0F}[rng.next() % 4];
  }
  return values;
}

/// A run of windows over one or more rows of `width` cells that are neighbors, as channels or columns.
struct RandomRun {
  WindowRun run;
  std::int64_t x_floats = 0;
};

RandomRun random_run(std::int64_t outputs, Rng& rng) {
  RandomRun random;
  WindowRun& r = random.run;
  r.rows = rng.between(1, 3);
  r.taps = rng.between(1, 3);
  r.outputs = outputs;
  // Columns of one channel with any stride, columns of some channels with stride 1, or the channels of one pixel.
  const std::int64_t channels = rng.between(1, 3);
  const bool columns = rng.one_in(2);
  r.tap = columns ? channels : rng.between(1, 40);
  r.step = columns && channels == 1 ? rng.between(1, 3) : 1;
  r.tap_column = columns ? channels : 0;
  // In pixels: every window has a cell, and the first and last may begin and end in the padding.
  const std::int64_t left = columns ? rng.between(0, r.taps - 1) : 0;
  const std::int64_t right = columns ? rng.between(0, r.taps - 1) : 0;
  const std::int64_t start = (outputs - 1) / channels * r.step - left;  // of the last window
  const std::int64_t pixels = std::max<std::int64_t>({1, start + 1, start + r.taps - right});
  r.column = -left * channels;
  r.width = columns ? pixels * channels : outputs;
  r.row = columns ? r.width : r.width + (r.taps - 1) * r.tap;
  r.first = r.column;
  random.x_floats = (r.rows - 1) * r.row + (columns ? r.width : (r.taps - 1) * r.tap + outputs);
  return random;
}

/// The indices of the cells of window t, row by row, from the definition of a run.
std::vector<std::int64_t> cells_of(const WindowRun& r, std::int64_t t) {
  std::vector<std::int64_t> cells;
  for (std::int64_t p = 0; p < r.rows; ++p) {
    for (std::int64_t q = 0; q < r.taps; ++q) {
      const std::int64_t column = r.column + q * r.tap_column + t * r.step;
      if (column >= 0 && column < r.width) cells.push_back(r.first + p * r.row + q * r.tap + t * r.step);
    }
  }
  return cells;
}

template <class Test>
void for_each_table(Test test) {
  for (const std::string& set : kernel_sets()) {
    INFO(set);
    const LayerKernels& kernels = of(set);
    REQUIRE(kernels.instruction_set == set);
    test(kernels);
  }
}

/// Runs of all lengths around the registers of a table.
template <class Test>
void for_each_random_run(const LayerKernels& kernels, Test test) {
  Rng rng(59);
  Failures failures;
  for (std::int64_t outputs = 1; outputs <= 3 * kernels.lanes + 1; ++outputs) {
    for (int turn = 0; turn < 20; ++turn) {
      const RandomRun random = random_run(outputs, rng);
      const WindowRun& r = random.run;
      for (const Guard guard : {Guard::behind, Guard::in_front}) {
        failures.add(test(random, guard, rng), kernels.instruction_set, outputs, r.rows, r.taps, r.step, r.tap_column);
      }
    }
  }
  CHECK_THAT(failures, NoFailure());
}

}  // namespace

TEST_CASE("relu and its gate: every length, NaN passes, zeros are positive", "[micro][layers]") {
  for_each_table([](const LayerKernels& kernels) {
    Rng rng(53);
    Failures failures;
    for (std::int64_t count = 0; count <= 3 * kernels.lanes + 1; ++count) {
      for (const Guard guard : {Guard::behind, Guard::in_front}) {
        const std::vector<float> x = cells_with_ties(count, rng, true), dy = cells_with_ties(count, rng, true);
        GuardedInput in(x, guard), slopes(dy, guard);
        GuardedBuffer y(x.size()), dx(x.size());
        kernels.relu(in.data(), count, y.span().data());
        kernels.relu_gate(in.data(), slopes.data(), count, dx.span().data());
        std::vector<float> expected_y, expected_dx;
        for (std::size_t t = 0; t < x.size(); ++t) {
          expected_y.push_back(x[t] <= 0 ? 0.0F : x[t]);
          expected_dx.push_back(x[t] <= 0 ? 0.0F : dy[t]);
        }
        failures.add(difference_of_bits(y.span(), expected_y), "relu", count);
        failures.add(difference_of_bits(dx.span(), expected_dx), "relu_gate", count);
        CHECK((y.intact() && dx.intact()));
      }
    }
    CHECK_THAT(failures, NoFailure());
  });
}

TEST_CASE("max_pool: the first of equal cells wins, the last NaN, and no cell outside is read", "[micro][layers]") {
  for_each_table([](const LayerKernels& kernels) {
    for_each_random_run(kernels, [&](const RandomRun& random, Guard guard, Rng& rng) -> Failure {
      const std::vector<float> x = cells_with_ties(random.x_floats, rng, rng.one_in(2));
      GuardedInput in(x, guard);
      const auto outputs = static_cast<std::size_t>(random.run.outputs);
      GuardedBuffer y(outputs);
      std::vector<std::int32_t> winners(outputs, -7);
      kernels.max_pool(random.run, in.data(), y.span().data(), winners.data());
      for (std::size_t t = 0; t < outputs; ++t) {
        std::int64_t best = -1;
        for (const std::int64_t cell : cells_of(random.run, static_cast<std::int64_t>(t))) {
          const float value = x[static_cast<std::size_t>(cell)];
          if (best < 0 || std::isnan(value) || value > x[static_cast<std::size_t>(best)]) best = cell;
        }
        if (winners[t] != best) return "winner " + std::to_string(winners[t]) + " for " + std::to_string(best);
        const float expected = x[static_cast<std::size_t>(best)];
        if (difference_of_bits(y.span().subspan(t, 1), std::span(&expected, 1))) return "another value";
      }
      return y.intact() ? Failure{} : "wrote outside its output";
    });
  });
}

TEST_CASE("average_pool, shares and spread: bitwise the loops in float, tap by tap", "[micro][layers]") {
  for_each_table([](const LayerKernels& kernels) {
    for_each_random_run(kernels, [&](const RandomRun& random, Guard guard, Rng& rng) -> Failure {
      const WindowRun& r = random.run;
      const std::vector<float> x = numbers(random.x_floats, Data::reals, rng);
      const std::vector<float> dy = numbers(r.outputs, Data::reals, rng);
      std::vector<float> y, parts, dx = numbers(random.x_floats, Data::reals, rng);
      GuardedInput in(x, guard), slopes(dy, guard);
      const auto outputs = static_cast<std::size_t>(r.outputs);
      GuardedBuffer got_y(outputs), got_parts(outputs), got_dx(dx);
      const float divisor = rng.one_in(2) ? static_cast<float>(r.rows * r.taps) : 0;
      kernels.average_pool(r, in.data(), divisor, got_y.span().data());
      kernels.shares(r, slopes.data(), divisor, got_parts.span().data());
      for (std::int64_t t = 0; t < r.outputs; ++t) {
        const std::vector<std::int64_t> cells = cells_of(r, t);
        float sum = 0;
        for (const std::int64_t cell : cells) sum += x[static_cast<std::size_t>(cell)];
        const float count = divisor > 0 ? divisor : static_cast<float>(cells.size());
        y.push_back(sum / count);
        parts.push_back(dy[static_cast<std::size_t>(t)] / count);
      }
      kernels.spread(r, got_parts.span().data(), got_dx.span().data());
      for (std::int64_t p = 0; p < r.rows; ++p) {
        for (std::int64_t q = 0; q < r.taps; ++q) {
          for (std::int64_t t = 0; t < r.outputs; ++t) {
            const std::int64_t column = r.column + q * r.tap_column + t * r.step;
            if (column < 0 || column >= r.width) continue;
            dx[static_cast<std::size_t>(r.first + p * r.row + q * r.tap + t * r.step)] +=
                parts[static_cast<std::size_t>(t)];
          }
        }
      }
      if (Failure failure = difference_of_bits(got_y.span(), y)) return failure;
      if (Failure failure = difference_of_bits(got_parts.span(), parts)) return failure;
      if (Failure failure = difference_of_bits(got_dx.span(), dx)) return failure;
      return got_y.intact() && got_parts.intact() && got_dx.intact() ? Failure{} : "wrote outside its output";
    });
  });
}
