#pragma once

#include <cmath>
#include <vector>

#include "evidence/search.hpp"

/// When a computed cell agrees with one of the file, whatever its rounding: loose, because many cells are compared.
namespace conv2d_check {

struct CellError {
  bool agrees = false;
  double relative = 0;  ///< error / norm
};

inline CellError error_of(double given, double computed, double norm) noexcept {
  // Of the norm: sums in a lower format, few decimals. Of the value: its storage in bfloat16, where terms of one sign
  // make it much larger than the norm.
  constexpr double kOfNorm = 0.05, kOfValue = 0.004, kSmallest = 1e-30;
  const double error = std::abs(given - computed);
  return {.agrees = error <= kOfNorm * norm + kOfValue * std::abs(computed) + kSmallest,
          .relative = error / (norm + std::abs(computed) + kSmallest)};
}

/// Drops candidates that are much further away than the closest one: smooth data has wrong geometries within the loose
/// tolerance.
inline void keep_closest(std::vector<Candidate>& candidates) {
  constexpr double kTimes = 6, kRounding = 4e-6;
  double best = INFINITY;
  for (const Candidate& one : candidates) best = std::min(best, one.residual);
  std::erase_if(candidates, [&](const Candidate& one) { return one.residual > kTimes * best + kRounding; });
}

}  // namespace conv2d_check
