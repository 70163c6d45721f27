#include "mistakes/compare.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>
#include <utility>

#include "base/errors.hpp"
#include "mistakes/diagnose.hpp"

namespace conv2d::mistakes {
namespace {

// The factors of a product and the sum are each rounded: by 2^-12 in float16 and TF32, by 2^-9 in bfloat16. Sums that
// are accumulated in such a type have more rounding errors.
constexpr double kFloat16 = 1.5e-3, kBfloat16 = 1.2e-2;

// Results in bfloat16 or float16 have few bits. TF32 rounds only the inputs, as do casts to float32 before the sum.
constexpr std::array kTolerances{
    Tolerance{.title = "within float32 rounding", .absolute = 0, .relative = kRounding},
    Tolerance{.title = "to four decimals, as printed by PyTorch", .absolute = 5.1e-5, .relative = kRounding},
    Tolerance{.title = "after rounding to bfloat16", .absolute = 1e-7, .relative = kBfloat16, .mantissa_bits = 7},
    Tolerance{.title = "after rounding to float16",
              .absolute = 1e-7,
              .relative = kFloat16,
              .mantissa_bits = 10,
              .lowest_exponent = -14},
    Tolerance{.title = "with inputs rounded to TF32 or float16", .absolute = 1e-7, .relative = kFloat16},
    Tolerance{.title = "with inputs rounded to bfloat16", .absolute = 1e-7, .relative = kBfloat16},
};

/// |a - b|; 0 for equal infinities and for two NaNs, infinite if only one is NaN.
double distance(double a, double b) noexcept {
  if (a == b || (std::isnan(a) && std::isnan(b))) return 0;
  const double off = std::abs(a - b);
  return std::isnan(off) ? std::numeric_limits<double>::infinity() : off;
}

bool is_within(double off, double magnitude, const Tolerance& tolerance) noexcept {
  return off <= tolerance.absolute + tolerance.relative * std::max(magnitude, 0.0);
}

/// Whether the format of the tolerance has this number.
bool is_number_of(const Tolerance& format, float value) noexcept {
  if (value == 0 || !std::isfinite(value)) return true;
  const int exponent = std::max(std::ilogb(value), format.lowest_exponent);
  const double in_last_bits = std::ldexp(value, format.mantissa_bits - exponent);
  return in_last_bits == std::trunc(in_last_bits);
}

bool agrees(float value, double expected, double magnitude, const Tolerance& tolerance) noexcept {
  const double off = distance(value, expected);
  if (is_within(off, magnitude, kTolerances.front())) return true;
  return is_within(off, magnitude, tolerance) && is_number_of(tolerance, value);
}

/// The factor with user_result = factor * expected, by least squares; 0 if there is none.
double factor_of(std::span<const float> user_result, std::span<const float> expected,
                 std::span<const float> magnitudes) noexcept {
  double product = 0, square = 0;
  std::int64_t nonzero = 0;
  for (std::size_t i = 0; i < expected.size(); ++i) {
    if (!std::isfinite(user_result[i]) || !std::isfinite(expected[i])) return 0;
    product += static_cast<double>(user_result[i]) * expected[i];
    square += static_cast<double>(expected[i]) * expected[i];
    nonzero += expected[i] != 0 ? 1 : 0;
  }
  // With a single nonzero value every result would be a multiple.
  if (nonzero < 2 || product == 0) return 0;
  const double factor = product / square;
  const Tolerance& tolerance = kTolerances.front();
  for (std::size_t i = 0; i < expected.size(); ++i) {
    const double off = std::abs(user_result[i] - factor * expected[i]);
    if (!is_within(off, std::abs(factor) * magnitudes[i], tolerance)) return 0;
  }
  return factor;
}

constexpr double kCheckTolerance = 1e-5;

bool same(const Cell& a, const Cell& b) noexcept {
  return std::abs(a.sum - b.sum) <= kRounding * std::max(a.magnitude, b.magnitude);
}

bool same(const std::vector<Cell>& a, const std::vector<Cell>& b) noexcept {
  return std::ranges::equal(a, b, [](const Cell& mine, const Cell& other) { return same(mine, other); });
}

}  // namespace

std::span<const Tolerance> tolerances() noexcept { return kTolerances; }

Result<ResultComparison> compare(std::span<const float> user_result, std::span<const float> expected,
                                 std::span<const float> magnitudes, std::span<float> difference) {
  const std::int64_t cells = std::ssize(expected);
  const Status lengths = check_lengths({{"user_result", user_result.size(), cells},
                                        {"magnitudes", magnitudes.size(), cells},
                                        {"difference", difference.size(), cells}});
  if (!lengths.ok()) return lengths;
  ResultComparison comparison{.within = std::vector<int>(kTolerances.size())};
  double largest = 0;
  for (std::size_t i = 0; i < expected.size(); ++i) {
    const double off = distance(user_result[i], expected[i]);
    difference[i] = off == 0 ? 0.0F : static_cast<float>(static_cast<double>(user_result[i]) - expected[i]);
    comparison.not_finite += std::isfinite(user_result[i]) ? 0 : 1;
    for (std::size_t e = 0; e < kTolerances.size(); ++e)
      comparison.within[e] += agrees(user_result[i], expected[i], magnitudes[i], kTolerances[e]) ? 1 : 0;
    if (off <= largest) continue;
    largest = off;
    comparison.worst = static_cast<std::int64_t>(i);
  }
  const bool matches = std::cmp_equal(comparison.within.back(), expected.size());
  if (!matches) comparison.factor = factor_of(user_result, expected, magnitudes);
  return comparison;
}

Result<Explanation> explain(const Geometry& g, Pass pass, const Inputs& inputs, std::span<const float> user_result) {
  if (Status status = check_problem(g, pass, inputs); !status.ok()) return status;
  const Status length = check_lengths({{"user_result", user_result.size(), g.result_size(pass)}});
  if (!length.ok()) return length;
  const auto gives = [&](const std::vector<Cell>& cells, const Tolerance& tolerance) {
    for (std::size_t i = 0; i < cells.size(); ++i) {
      if (!agrees(user_result[i], cells[i].sum, cells[i].magnitude, tolerance)) return false;
    }
    return true;
  };
  Explanation explanation;
  std::size_t tolerance_count = kTolerances.size();
  const std::span<const Mistake> known = list();
  for (std::size_t i = 0; i < known.size(); ++i) {
    if (!has_inputs(g, inputs, known[i])) continue;
    for (int variant = 0; variant < known[i].variants(g, pass); ++variant) {
      const std::vector<Cell> cells = compute(g, pass, inputs, &known[i], variant);
      for (std::size_t e = 0; e < tolerance_count; ++e) {
        if (!gives(cells, kTolerances[e])) continue;
        // An earlier tolerance replaces all mistakes that were found with a later one.
        if (explanation.tolerance != static_cast<int>(e)) explanation.mistakes.clear();
        explanation.tolerance = static_cast<int>(e);
        tolerance_count = e + 1;
        const bool listed = !explanation.mistakes.empty() && explanation.mistakes.back() == static_cast<int>(i);
        if (!listed) explanation.mistakes.push_back(static_cast<int>(i));
        break;
      }
    }
  }
  return explanation;
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
