#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "verdict/exact.hpp"

/// Wrong programs that may have computed a result: one mistake, or two one after the other.
namespace conv2d_check {

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

/// Pairs of mistakes of different names.
std::vector<Suspect> double_suspects(const Problem& problem, Pass pass);

/// Some cells of what a suspect computes, cheaper than all of them.
struct Sample {
  std::vector<std::int64_t> cells{};
  Expected expected{};
};

/// About `count` cells. Empty: too expensive.
Sample sample_of(const Suspect& suspect, const Problem& problem, Pass pass, std::int64_t count);

/// The whole result of a suspect; its values are empty if that takes too long.
Expected expected_of(const Suspect& suspect, const Problem& problem, Pass pass);

}  // namespace conv2d_check
