#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <limits>

#include "kernels/tested_sets.hpp"
#include "support/checked_memory.hpp"
#include "support/matchers.hpp"

using namespace conv2d::micro_kernels;
using namespace conv2d::test;

namespace {

using Matrix = std::vector<std::vector<double>>;

// B^T, G and A^T as printed by Lavin and Gray (2015, sections 4.1 and 4.3).
const Matrix kCells2 = {{1, 0, -1, 0}, {0, 1, 1, 0}, {0, -1, 1, 0}, {0, 1, 0, -1}};
const Matrix kWeights2 = {{1, 0, 0}, {0.5, 0.5, 0.5}, {0.5, -0.5, 0.5}, {0, 0, 1}};
const Matrix kOutputs2 = {{1, 1, 1, 0}, {0, 1, -1, -1}};
const Matrix kCells4 = {{4, 0, -5, 0, 1, 0},  {0, -4, -4, 1, 1, 0}, {0, 4, -4, -1, 1, 0},
                        {0, -2, -1, 2, 1, 0}, {0, 2, -1, -2, 1, 0}, {0, 4, 0, -5, 0, 1}};
const Matrix kWeights4 = {{1.0 / 4, 0, 0},
                          {-1.0 / 6, -1.0 / 6, -1.0 / 6},
                          {-1.0 / 6, 1.0 / 6, -1.0 / 6},
                          {1.0 / 24, 1.0 / 12, 1.0 / 6},
                          {1.0 / 24, -1.0 / 12, 1.0 / 6},
                          {0, 0, 1}};
const Matrix kOutputs4 = {{1, 1, 1, 1, 1, 0}, {0, 1, -1, 2, -2, 0}, {0, 1, 1, 4, 4, 0}, {0, 1, -1, 8, -8, 1}};

Matrix transposed(const Matrix& m) {
  Matrix t(m[0].size(), std::vector<double>(m.size()));
  for (std::size_t i = 0; i < m.size(); ++i) {
    for (std::size_t j = 0; j < m[0].size(); ++j) t[j][i] = m[i][j];
  }
  return t;
}

/// What a transform adds to its result.
enum class Adds { nothing, start, to };

/// Whether small integers are transformed exactly: quarters are exact in float, sixths are not.
bool exact(const Matrix& m) {
  return std::ranges::all_of(m, [](const std::vector<double>& row) {
    return std::ranges::all_of(row, [](double factor) { return std::floor(4 * factor) == 4 * factor; });
  });
}

/// Compares the transform with M d M^T and what it adds, for `count` floats of each cell.
Failure wrong_transform(WinogradFunction transform, const Matrix& m, std::ptrdiff_t count, Adds adds,
                        const Trial& trial, Rng& rng) {
  const auto to_size = std::ssize(m), from_size = std::ssize(m[0]);
  const std::ptrdiff_t from_col = count + 1, from_row = from_size * from_col + 2;
  const std::ptrdiff_t to_col = count + 3, to_row = to_size * to_col + 1;
  const std::vector<float> from = numbers((from_size - 1) * (from_row + from_col) + count, trial.data, rng);
  const std::vector<float> start = numbers(count, trial.data, rng);
  const std::vector<float> before = numbers((to_size - 1) * (to_row + to_col) + count, trial.data, rng);
  GuardedInput in(from, trial.guard), in_start(start, trial.guard);
  CheckedOutput to((to_size - 1) * (to_row + to_col) + count, exact(m) ? trial.data : Data::reals);
  const auto factor = [&](std::ptrdiff_t row, std::ptrdiff_t col) {
    return m[static_cast<std::size_t>(row)][static_cast<std::size_t>(col)];
  };
  for (std::ptrdiff_t i = 0; i < to_size; ++i) {
    for (std::ptrdiff_t j = 0; j < to_size; ++j) {
      for (std::ptrdiff_t c = 0; c < count; ++c) {
        Sum sum;
        const std::ptrdiff_t at = i * to_row + j * to_col + c;
        if (adds == Adds::start) sum.add(start[static_cast<std::size_t>(c)]);
        if (adds == Adds::to) sum.add(before[static_cast<std::size_t>(at)]);
        for (std::ptrdiff_t p = 0; p < from_size; ++p) {
          for (std::ptrdiff_t q = 0; q < from_size; ++q) {
            sum.add(factor(i, p) * factor(j, q),
                    static_cast<double>(from[static_cast<std::size_t>(p * from_row + q * from_col + c)]));
          }
        }
        to.set_initial(
            at, adds == Adds::to ? before[static_cast<std::size_t>(at)] : std::numeric_limits<float>::quiet_NaN());
        to.expect(at, sum);
      }
    }
  }
  transform({.from = in.data(),
             .from_row = from_row,
             .from_col = from_col,
             .to = to.data(),
             .to_row = to_row,
             .to_col = to_col,
             .count = count,
             .start = adds == Adds::start ? in_start.data() : nullptr,
             .accumulate = adds == Adds::to});
  return to.failure();
}

}  // namespace

TEST_CASE("winograd: the transforms match the paper, for any number of registers", "[micro]") {
  Rng rng(51);
  for_each_set([&](const TestedSet& set) {
    const KernelSet& k = *set.kernels;
    Failures failures;
    const auto check = [&](const WinogradKernels& kernels, const Matrix& cells, const Matrix& weights,
                           const Matrix& outputs) {
      REQUIRE(kernels.outputs == std::ssize(outputs));
      const std::string name =
          "winograd of " + std::to_string(kernels.outputs) + " x " + std::to_string(kernels.outputs) + " ";
      for (std::ptrdiff_t registers = 1; registers <= 4; ++registers) {
        const std::ptrdiff_t count = registers * k.lanes;
        for (const Trial& trial : kTrials) {
          const auto try_out = [&](const char* what, WinogradFunction transform, const Matrix& m, Adds adds) {
            failures.add(wrong_transform(transform, m, count, adds, trial, rng), set.name() + " " + name + what, count);
          };
          try_out("cells", kernels.cells, cells, Adds::nothing);
          try_out("weights", kernels.weights, weights, Adds::nothing);
          try_out("outputs", kernels.outputs_of, outputs, Adds::start);
          try_out("gradients", kernels.gradients, transposed(outputs), Adds::nothing);
          try_out("weights of", kernels.weights_of, transposed(weights), Adds::nothing);
          try_out("weights of, added", kernels.weights_of, transposed(weights), Adds::to);
        }
      }
      exercised(set.name())
          .kernels.insert(
              {name + "cells", name + "weights", name + "outputs", name + "gradients", name + "weights of"});
    };
    check(k.winograd_2x2, kCells2, kWeights2, kOutputs2);
    check(k.winograd_4x4, kCells4, kWeights4, kOutputs4);
    CHECK_THAT(failures, NoFailure());
  });
}
