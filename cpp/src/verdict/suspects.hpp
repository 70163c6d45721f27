#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "verdict/exact.hpp"

/// Wrong programs that may have computed a result: one mistake, or two one after the other.
namespace conv2d_check {

/// Number of cells that a suspect is compared in first.
inline constexpr std::int64_t kFirstCells = 4;

/// A mistake of the table (conv2d::mistakes), by its index there and its variant.
struct MistakeVariant {
  int mistake = -1;
  int variant = 0;

  bool operator==(const MistakeVariant&) const = default;
};

struct Suspect {
  MistakeVariant first;
  MistakeVariant second{};  ///< mistake -1: none

  bool operator==(const Suspect&) const = default;
};

std::string_view name_of(const Problem& problem, const MistakeVariant& mistake);

/// "Stride forgotten. The stride was ignored: the windows were one cell apart."
std::string sentence_of(const Problem& problem, Pass pass, const MistakeVariant& mistake);

/// All variants of all mistakes that apply to the problem.
std::vector<Suspect> single_suspects(const Problem& problem, Pass pass);

/// Pairs of mistakes of different names, one after the other. Empty if they take too long to compute.
std::vector<Suspect> double_suspects(const Problem& problem, Pass pass);

/// Cells of what a suspect computes.
struct Sample {
  std::vector<std::int64_t> cells{};
  Expected expected{};
  bool is_whole = false;  ///< all cells in order
};

/// About `count` cells, and those that have the terms of the cells `first`; all if that is not more than they cost.
/// Empty: too expensive.
Sample sample_of(const Suspect& suspect, const Problem& problem, Pass pass, std::int64_t count,
                 std::span<const std::int64_t> first = {});

/// The whole result, or if that takes too long, as many cells as are affordable.
Sample whole_of(const Suspect& suspect, const Problem& problem, Pass pass);

}  // namespace conv2d_check
