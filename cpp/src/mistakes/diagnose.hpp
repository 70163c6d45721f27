#pragma once

#include <cstdint>
#include <vector>

#include "conv2d/conv_desc.hpp"
#include "conv2d/status.hpp"
#include "mistakes/compute.hpp"
#include "mistakes/mistake.hpp"

namespace conv2d::mistakes {

/// More multiply-adds than this are not gone through for a diagnosis: it goes through them some thirty times.
inline constexpr std::int64_t kMostTerms = std::int64_t{1} << 20;

/// What a result in float32 may differ by from the exact one, relative to the magnitudes of its products.
inline constexpr double kRounding = 4e-6;

/// Errors: length_mismatch (the tensors that the pass reads), unsupported (more than kMostTerms).
Status check_problem(const Geometry& g, Pass pass, const Inputs& inputs);

/// A number as somebody wrote it down.
struct Written {
  double value = 0;
  double precision = 0;  ///< half a unit of its last digit
};

/// Says nothing of the right number but whether this is it.
struct Diagnosis {
  bool right = false;
  /// Where it is not: the mistakes that give this number, by their places in the list. Several: it may be any of them.
  std::vector<int> explanations;
};

/// What one mistake, made in one of its ways, gives for a cell.
struct Number {
  int mistake;  ///< its place in the list
  int way;
  Cell cell;
};

/// What all mistakes give for a cell that have an occasion and a number for it.
std::vector<Number> numbers(const Geometry& g, Pass pass, const Inputs& inputs, std::int64_t cell);

/// Whether `written` is `value` for somebody who rounds to three digits or more.
bool says(const Written& written, const Cell& cell) noexcept;

Diagnosis judge(const Cell& right, const std::vector<Number>& numbers, const Written& written);

/// What somebody did who wrote this number for a cell of a result. Errors: those of `check_problem`,
/// invalid_argument ("cell").
Result<Diagnosis> diagnose(const Geometry& g, Pass pass, const Inputs& inputs, std::int64_t cell,
                           const Written& written);

}  // namespace conv2d::mistakes
