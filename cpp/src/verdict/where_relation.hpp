#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "verdict/exact.hpp"

/// The parts of `relation_of`: each returns an empty string if it finds no relation.
namespace conv2d_check {

/// A result, its right values and the cells in which they differ.
struct Compared {
  const Problem& problem;
  Pass pass;
  std::span<const double> yours, right, tolerance;
  std::vector<std::int64_t> cells{};
  std::vector<std::int64_t> sample{};  ///< some of them, evenly spaced

  [[nodiscard]] double your(std::int64_t cell) const noexcept { return yours[static_cast<std::size_t>(cell)]; }
  [[nodiscard]] double exact(std::int64_t cell) const noexcept { return right[static_cast<std::size_t>(cell)]; }
  [[nodiscard]] double error(std::int64_t cell) const noexcept { return your(cell) - exact(cell); }
  [[nodiscard]] double allowed(std::int64_t cell) const noexcept { return tolerance[static_cast<std::size_t>(cell)]; }

  /// Whether all cells that differ satisfy a condition. The sample is first, because most conditions fail at once.
  template <class Condition>
  [[nodiscard]] bool all(Condition holds) const {
    for (const std::int64_t cell : sample)
      if (!holds(cell)) return false;
    for (const std::int64_t cell : cells)
      if (!holds(cell)) return false;
    return true;
  }
};

/// log2 of how many values an error could have had: how much a sum that explains it proves.
inline double bits_of_error(double error, double allowed) noexcept {
  const double unit = error == std::round(error) ? 1 : allowed + 1e-300;
  return std::min(12.0, std::log2(1 + std::abs(error) / unit));
}

/// A number in a sentence: up to 6 digits.
std::string shown(double value);

/// NaN, 0, a constant, a multiple, a constant difference, the bias, a format.
std::string relation_by_value(const Compared& compared);

/// The right values of other cells: adjacent cells, mirrored cells, another image.
std::string relation_by_cell(const Compared& compared);

/// Sums with terms missing or added twice, of a sample of the cells.
std::string relation_by_sum(const Compared& compared);

/// The values of a common mistake.
std::string relation_by_mistake(const Compared& compared);

/// Sums that read other elements: padding that is not 0, another group.
std::string relation_by_operand(const Compared& compared);

}  // namespace conv2d_check
