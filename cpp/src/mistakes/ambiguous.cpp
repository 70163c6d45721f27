#include "mistakes/ambiguous.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>
#include <vector>

#include "mistakes/diagnose.hpp"

namespace conv2d::mistakes {
namespace {

/// Values without small relations: equal sums of products of them are equal for all values.
std::vector<float> generic_values(std::size_t length, std::uint32_t seed) {
  std::vector<float> values(length);
  for (float& value : values) {
    seed = seed * 1664525U + 1013904223U;
    value = static_cast<float>(static_cast<double>(seed >> 8U) / double{1U << 23U} - 1);
  }
  return values;
}

/// Whether `value`, rounded to three digits, is accepted as the right value.
bool is_accepted(double value, const Cell& right) {
  return matches({.value = value, .precision = std::numeric_limits<double>::infinity()}, right);
}

bool is_same(double value, const Cell& right) { return matches({.value = value, .precision = 0}, right); }

/// Without padding y has fewer cells, so a mistake may not have this one. A cell of dx that no window reads is 0.
bool exists(const Cell& cell, Pass pass) { return cell.steps > 0 || pass == Pass::backward_data; }

bool differs_anywhere(const std::vector<Cell>& wrong, const std::vector<Cell>& right, Pass pass) {
  for (std::size_t i = 0; i < right.size(); ++i) {
    if (exists(wrong[i], pass) && !is_same(wrong[i].sum, right[i])) return true;
  }
  return false;
}

Cell cell_of(double value) { return {.sum = value, .magnitude = std::abs(value), .steps = 1}; }

}  // namespace

Result<Ambiguity> ambiguity(const Geometry& g, Pass pass, const Inputs& inputs, std::int64_t cell) {
  if (Status status = check_problem(g, pass, inputs); !status.ok()) return status;
  if (cell < 0 || cell >= g.result_size(pass))
    return Status{ErrorCode::invalid_argument, "cell", "cell is outside the result"};
  const auto x = generic_values(inputs.x.size(), 1), w = generic_values(inputs.w.size(), 2);
  const auto b = generic_values(inputs.b.size(), 3), dy = generic_values(inputs.dy.size(), 4);
  const Inputs generic{.x = x, .w = w, .b = b, .dy = dy};
  const std::vector<Cell> generic_right = compute(g, pass, generic, nullptr, 0);
  const auto at = static_cast<std::size_t>(cell);
  const Cell right = compute(g, pass, inputs, nullptr, 0)[at];
  for (const Mistake& mistake : of_numbers()) {
    const int variants = mistake.variants(g, pass);
    for (int variant = 0; variant < variants; ++variant) {
      const Cell wrong = compute(g, pass, inputs, &mistake, variant)[at];
      if (exists(wrong, pass) && is_accepted(wrong.sum, right) &&
          differs_anywhere(compute(g, pass, generic, &mistake, variant), generic_right, pass)) {
        return Ambiguity{true};
      }
    }
  }
  return Ambiguity{false};
}

Result<Ambiguity> ambiguity(const LayerProblem& problem, Pass pass, std::int64_t cell) {
  if (Status status = check_problem(problem, pass, cell); !status.ok()) return status;
  const bool forward = pass == Pass::forward;
  const auto values = generic_values(forward ? problem.x.size() : problem.dy.size(), 1);
  // The largest of them is the smallest of the others.
  std::vector<float> opposite(values.size());
  std::ranges::transform(values, opposite.begin(), [](float value) { return -value; });
  const auto with = [&](std::span<const float> other) {
    LayerProblem changed = problem;
    (forward ? changed.x : changed.dy) = other;
    return changed;
  };
  const LayerProblem generic[] = {with(values), with(opposite)};
  const Cell right = cell_of(right_value(problem, pass, cell));
  for (const LayerMistake& mistake : layer_mistakes()) {
    if (mistake.kind != problem.kind || mistake.pass != pass) continue;
    const auto differs = [&](const LayerProblem& other) {
      return !is_same(mistake.value(other, cell), cell_of(right_value(other, pass, cell)));
    };
    if (is_accepted(mistake.value(problem, cell), right) && std::ranges::any_of(generic, differs)) {
      return Ambiguity{true};
    }
  }
  return Ambiguity{false};
}

}  // namespace conv2d::mistakes
