#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "conv2d/conv_desc.hpp"
#include "conv2d/status.hpp"
#include "mistakes/mistake.hpp"

/// Compares complete results with the correct ones, and gradients with their slopes.
namespace conv2d::mistakes {

struct Difference {
  std::int64_t worst = -1;  ///< the cell with the largest difference; NaN on one side only counts as infinite
};

/// Writes user_result - expected to `difference`, exactly 0 where both are equal. Error: length_mismatch.
Result<Difference> subtract(std::span<const float> user_result, std::span<const float> expected,
                            std::span<float> difference);

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
