#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "conv2d/conv_desc.hpp"
#include "conv2d/status.hpp"
#include "mistakes/mistake.hpp"

/// Compares complete results with the correct ones: of other programs, of a mistake, and gradients with their slopes.
namespace conv2d::mistakes {

/// A tolerance: a cell agrees if its error is at most `absolute` + `relative` * sum of |terms| and its value is a
/// number of the format, or if it agrees with the first tolerance.
struct Tolerance {
  std::string_view title;  ///< text after "agrees"
  double absolute = 0, relative = 0;
  int mantissa_bits = 23, lowest_exponent = -126;  ///< of the format; the default is float32
};

/// All tolerances, the most specific first. The last one includes all others.
std::span<const Tolerance> tolerances() noexcept;

struct ResultComparison {
  std::int64_t worst = -1;      ///< the cell with the largest error; NaN on one side only counts as infinite error
  std::int64_t not_finite = 0;  ///< NaNs and infinities of the user's result
  std::vector<int> within{};    ///< for each tolerance: number of cells that agree
  /// user_result = factor * expected in all cells; 0 if the result is right or there is no such factor.
  double factor = 0;
};

/// Compares `user_result` with `expected`. `magnitudes` has the sum of |terms| of each cell. Writes user_result -
/// expected to `difference`. Error: length_mismatch.
Result<ResultComparison> compare(std::span<const float> user_result, std::span<const float> expected,
                                 std::span<const float> magnitudes, std::span<float> difference);

struct Explanation {
  int tolerance = -1;           ///< index of the first tolerance with which a mistake gives the whole result
  std::vector<int> mistakes{};  ///< those mistakes, as indices into list()
};

/// The mistakes that give a wrong result. Errors: those of `check_problem`, length_mismatch (field "user_result").
Result<Explanation> explain(const Geometry& g, Pass pass, const Inputs& inputs, std::span<const float> user_result);

/// values[t] = |values[t]|. A pass of such inputs gives the sums of |terms|.
void drop_signs(std::span<float> values) noexcept;

/// Largest rounding error of any algorithm in any cell, for the tolerance in case files.
double rounding(std::span<const float> magnitudes) noexcept;

/// The effect of a mistake on a problem.
struct AppliedMistake {
  bool applicable = false;      ///< whether the mistake is possible in this problem; if not, the result is correct
  bool differs = false;         ///< whether any cell is wrong
  std::vector<int> equivalent;  ///< indices of all bugs with the same result here, including this one
};

/// Computes a pass with the first variant of mistake `index` of bugs(). Writes the result to `wrong` and its difference
/// from the correct result to `difference`, both rounded from double. Errors: those of `check_problem`,
/// invalid_argument (field "index"), length_mismatch (field "wrong" or "difference").
Result<AppliedMistake> apply(const Geometry& g, Pass pass, const Inputs& inputs, int index, std::span<float> wrong,
                             std::span<float> difference);

/// A gradient compared with measured slopes.
struct GradientComparison {
  std::int64_t failed = 0;  ///< number of cells that differ from the measured slope
  std::int64_t worst = -1;  ///< the cell with the largest error; -1 if none failed
};

/// Compares a gradient with the measured slopes of the loss. A cell fails if the difference is more than 1e-5 of the
/// largest slope, because both are rounded to float32. Error: length_mismatch.
Result<GradientComparison> compare_gradient(std::span<const float> gradient, std::span<const float> measured) noexcept;

}  // namespace conv2d::mistakes
