#pragma once

#include <cstdint>
#include <vector>

#include "conv2d/conv_desc.hpp"
#include "conv2d/status.hpp"
#include "mistakes/mistake.hpp"

namespace conv2d::mistakes {

/// Maximum number of multiply-adds of a pass that is diagnosed.
inline constexpr std::int64_t kMostTerms = std::int64_t{1} << 20;

/// Maximum number of multiply-adds of a whole diagnosis. It computes the correct pass, and the pass with each variant
/// of each mistake: 50 to 75 passes, plus one per image of the batch for dw and db (one_image).
inline constexpr std::int64_t kMostTermsInAll = 64 * kMostTerms;

/// Largest rounding error of a float32 result, relative to the sum of |terms|.
inline constexpr double kRounding = 4e-6;

/// Errors: length_mismatch (a tensor that the pass reads), unsupported (more than kMostTerms or kMostTermsInAll).
Status check_problem(const Geometry& g, Pass pass, const Inputs& inputs);

/// A number as a user wrote it.
struct WrittenValue {
  double value = 0;
  double precision = 0;  ///< half a unit of its last digit
};

/// Contains nothing from which the correct value could be derived, except whether it was given.
struct Diagnosis {
  bool right = false;
  /// If not: the mistakes that give this number, as indices into of_numbers(). If several, it may be any of them.
  std::vector<int> explanations;
  /// Neither, but the value rounded to one or two digits.
  bool rounded = false;
};

/// The value that one variant of a mistake gives for a cell.
struct Candidate {
  int mistake = 0;  ///< index into of_numbers()
  int variant = 0;
  Cell cell;
};

/// The values of all applicable mistakes for a cell, unless the mistake has no such cell.
std::vector<Candidate> candidates(const Geometry& g, Pass pass, const Inputs& inputs, std::int64_t cell);

/// Whether `written` is the cell's value, rounded to at least three digits.
bool matches(const WrittenValue& written, const Cell& cell) noexcept;

/// The same, to at least one digit.
bool nearly_matches(const WrittenValue& written, const Cell& cell) noexcept;

Diagnosis diagnose(const Cell& right, const std::vector<Candidate>& candidates, const WrittenValue& written);

/// Whether `written` is the value of a cell of a result, and if not, which mistakes give it. Errors: those of
/// `check_problem`, invalid_argument (field "cell").
Result<Diagnosis> diagnose(const Geometry& g, Pass pass, const Inputs& inputs, std::int64_t cell,
                           const WrittenValue& written);

}  // namespace conv2d::mistakes
