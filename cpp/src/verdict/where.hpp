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

/// A rule that holds every cell that differs, at most 5 % of the others and at most a quarter of its own cells that do
/// not differ; cells with right value 0 are not counted there, because 0 and multiples do not show in them. The
/// shortest such rule in words; nullopt: none, or no cell or all cells differ. All spans have a value for each cell of
/// the result. `tolerance`: the largest error of a right value.
std::optional<Where> describe(const Problem& problem, Pass pass, std::span<const double> yours,
                              std::span<const double> right, std::span<const double> tolerance,
                              std::span<const char> differs);

/// What the cells that differ are, also where no rule describes them. Empty if they have no known relation in common.
std::string relation_of(const Problem& problem, Pass pass, std::span<const double> yours,
                        std::span<const double> right, std::span<const double> tolerance,
                        std::span<const char> differs);

}  // namespace conv2d_check
