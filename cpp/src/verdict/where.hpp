#pragma once

#include <optional>
#include <span>
#include <string>

#include "verdict/exact.hpp"

/// Where a result is wrong, and how, in words.
namespace conv2d_check {

struct Where {
  std::string where;     ///< "columns from 24 on"
  std::string relation;  ///< what the cells that differ are: "0", "2 times the right values"; empty: not known
};

/// The shortest rule in words that holds every cell that differs and few others: at most 5 % of those that do not
/// differ (where most cells differ: 5 % of these), and a quarter of its own cells. Cells with right value 0 are not
/// counted, because zeros and multiples do not show in them. nullopt: there is none, or no cell or all cells differ.
/// All spans have a value for each cell of the result; `tolerance` is the largest error of a right one.
std::optional<Where> describe(const Problem& problem, Pass pass, std::span<const double> yours,
                              std::span<const double> right, std::span<const double> tolerance,
                              std::span<const char> differs);

/// What the cells that differ are, also where no rule describes them. Empty if they have no known relation in common.
std::string relation_of(const Problem& problem, Pass pass, std::span<const double> yours, std::span<const double> right,
                        std::span<const double> tolerance, std::span<const char> differs);

}  // namespace conv2d_check
