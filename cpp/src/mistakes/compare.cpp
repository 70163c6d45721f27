#include "mistakes/compare.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>

#include "base/errors.hpp"
#include "mistakes/diagnose.hpp"

namespace conv2d::mistakes {
namespace {

/// |a - b|; 0 for equal infinities and for two NaNs, infinite if only one is NaN.
double distance(double a, double b) noexcept {
  if (a == b || (std::isnan(a) && std::isnan(b))) return 0;
  const double off = std::abs(a - b);
  return std::isnan(off) ? std::numeric_limits<double>::infinity() : off;
}

constexpr double kCheckTolerance = 1e-5;

bool same(const Cell& a, const Cell& b) noexcept {
  return std::abs(a.sum - b.sum) <= kRounding * std::max(a.magnitude, b.magnitude);
}

bool same(const std::vector<Cell>& a, const std::vector<Cell>& b) noexcept {
  return std::ranges::equal(a, b, [](const Cell& mine, const Cell& other) { return same(mine, other); });
}

}  // namespace

Result<Difference> subtract(std::span<const float> user_result, std::span<const float> expected,
                            std::span<float> difference) {
  const std::int64_t cells = std::ssize(expected);
  const Status lengths =
      check_lengths({{"user_result", user_result.size(), cells}, {"difference", difference.size(), cells}});
  if (!lengths.ok()) return lengths;
  Difference found;
  double largest = 0;
  for (std::size_t i = 0; i < expected.size(); ++i) {
    const double off = distance(user_result[i], expected[i]);
    difference[i] = off == 0 ? 0.0F : static_cast<float>(static_cast<double>(user_result[i]) - expected[i]);
    if (off <= largest) continue;
    largest = off;
    found.worst = static_cast<std::int64_t>(i);
  }
  return found;
}

void drop_signs(std::span<float> values) noexcept {
  for (float& value : values) value = std::abs(value);
}

double rounding(std::span<const float> magnitudes) noexcept {
  float largest = 0;
  for (const float magnitude : magnitudes) largest = std::max(largest, magnitude);
  return kRounding * static_cast<double>(largest);
}

Result<AppliedMistake> apply(const Geometry& g, Pass pass, const Inputs& inputs, int index, std::span<float> wrong,
                             std::span<float> difference) {
  if (Status status = check_problem(g, pass, inputs); !status.ok()) return status;
  const std::span<const Mistake> known = bugs();
  if (index < 0 || static_cast<std::size_t>(index) >= known.size())
    return Status{ErrorCode::invalid_argument, "index", "index is outside the list of bugs"};
  const std::int64_t result_size = g.result_size(pass);
  const Status lengths =
      check_lengths({{"wrong", wrong.size(), result_size}, {"difference", difference.size(), result_size}});
  if (!lengths.ok()) return lengths;
  const auto size = static_cast<std::size_t>(result_size);
  const std::vector<Cell> right = compute(g, pass, inputs, nullptr, 0);
  const auto result_of = [&](const Mistake& mistake) {
    return mistake.variants(g, pass) > 0 ? compute(g, pass, inputs, &mistake, 0) : right;
  };
  const std::vector<Cell> buggy = result_of(known[static_cast<std::size_t>(index)]);
  for (std::size_t i = 0; i < size; ++i) {
    wrong[i] = static_cast<float>(buggy[i].sum);
    difference[i] = same(buggy[i], right[i]) ? 0.0F : static_cast<float>(buggy[i].sum - right[i].sum);
  }
  AppliedMistake applied{.applicable = known[static_cast<std::size_t>(index)].variants(g, pass) > 0,
                         .differs = !same(buggy, right),
                         .equivalent = {}};
  for (std::size_t other = 0; other < known.size(); ++other) {
    if (same(result_of(known[other]), buggy)) applied.equivalent.push_back(static_cast<int>(other));
  }
  return applied;
}

Result<GradientComparison> compare_gradient(std::span<const float> gradient, std::span<const float> measured) noexcept {
  if (gradient.size() != measured.size()) return length_mismatch("measured", measured.size(), std::ssize(gradient));
  double largest = 0;
  for (const float slope : measured) largest = std::max(largest, std::abs(static_cast<double>(slope)));
  GradientComparison comparison;
  double largest_error = kCheckTolerance * largest;
  for (std::size_t i = 0; i < gradient.size(); ++i) {
    const double off = std::abs(static_cast<double>(gradient[i]) - measured[i]);
    if (off <= kCheckTolerance * largest) continue;
    ++comparison.failed;
    if (off > largest_error) {
      largest_error = off;
      comparison.worst = static_cast<std::int64_t>(i);
    }
  }
  return comparison;
}

}  // namespace conv2d::mistakes
