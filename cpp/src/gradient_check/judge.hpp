#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <span>
#include <type_traits>
#include <vector>

#include "base/errors.hpp"
#include "conv2d_teach/gradient_check.hpp"

/// How a gradient is compared with its difference quotient, for one convolution and for a chain.
namespace conv2d {

template <class T>
inline constexpr double kPrecision = static_cast<double>(std::numeric_limits<T>::epsilon());
/// Relative error up to which a cell is confirmed.
template <class T>
inline constexpr double kTolerance = std::is_same_v<T, float> ? 1e-3 : 1e-4;
/// Rounding of a long sum of products, in units of precision * sum of |products|.
inline constexpr double kSumRounding = 8;
/// Limit for an error explained by curvature, in units of its change from epsilon to epsilon / 8: an error that is
/// quadratic in the step changes by 63/64 of itself.
inline constexpr double kCurvature = 2;
inline constexpr int kShorterStep = 8;

/// Checks the cells `indices` of a parameter of `size` cells (empty: all), one after the other.
template <class Cell, class Checker, class T>
Result<std::vector<Cell>> check_cells(Checker checker, std::int64_t size, T epsilon,
                                      std::span<const std::int64_t> indices) {
  if (!(epsilon > 0 && std::isfinite(epsilon))) {
    return Status{
        ErrorCode::invalid_argument, "epsilon",
        text(epsilon <= 0 ? "a step is 0 or negative" : "a step is not finite", "; it must be positive and finite")};
  }
  for (const std::int64_t index : indices) {
    if (index >= 0 && index < size) continue;
    return Status{ErrorCode::invalid_argument, "indices",
                  text("cell ", index, " is not in the parameter, which has ", size, " cells")};
  }
  const std::int64_t count = indices.empty() ? size : std::ssize(indices);
  if (Status status = checker.prepare(count); !status.ok()) return status;
  std::vector<Cell> cells;
  cells.reserve(static_cast<std::size_t>(count));
  for (std::int64_t t = 0; t < count; ++t) {
    cells.push_back(checker.check(indices.empty() ? t : indices[static_cast<std::size_t>(t)], epsilon));
  }
  return cells;
}

/// The largest |value| that is finite.
template <class T>
[[gnu::always_inline]] inline double largest_of(std::span<const T> gradient) noexcept {
  double largest = 0;
  for (const T value : gradient) {
    const double magnitude = std::abs(static_cast<double>(value));
    if (std::isfinite(magnitude)) largest = std::max(largest, magnitude);
  }
  return largest;
}

/// Fills `numeric` and the errors of a cell from its losses and its analytic gradient.
template <class T>
[[gnu::always_inline]] inline void take_quotient(GradientCheckCell<T>& cell, T epsilon) noexcept {
  cell.numeric = (cell.loss_plus - cell.loss_minus) / (2 * epsilon);
  const double analytic = static_cast<double>(cell.analytic);
  const double numeric = static_cast<double>(cell.numeric);
  cell.absolute_error = std::abs(analytic - numeric);
  cell.relative_error = cell.absolute_error / std::max({std::abs(analytic), std::abs(numeric),
                                                        static_cast<double>(std::numeric_limits<T>::min())});
}

/// The verdict that follows from the errors and the rounding of a cell. `largest` is that of the whole gradient.
template <class T>
[[gnu::always_inline]] inline GradientVerdict judge(const GradientCheckCell<T>& cell, double largest) noexcept {
  if (cell.relative_error <= kTolerance<T>) return GradientVerdict::confirmed;
  const bool explained = cell.absolute_error <= cell.rounding || !std::isfinite(static_cast<double>(cell.numeric));
  if (!explained) return GradientVerdict::wrong;
  return cell.rounding <= kTolerance<T> * largest ? GradientVerdict::within_rounding
                                                  : GradientVerdict::not_at_this_step;
}

/// Whether the curvature of the loss explains the error: `nearer` is the quotient of a step kShorterStep times shorter.
template <class T>
[[gnu::always_inline]] inline bool explained_by_curvature(const GradientCheckCell<T>& cell, T nearer) noexcept {
  return cell.absolute_error <=
         kCurvature * std::abs(static_cast<double>(cell.numeric) - static_cast<double>(nearer)) + cell.rounding;
}

}  // namespace conv2d
