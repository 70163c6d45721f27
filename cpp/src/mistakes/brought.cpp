#include "mistakes/brought.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>

#include "mistakes/diagnose.hpp"
#include "mistakes/mistake.hpp"

namespace conv2d::mistakes {
namespace {

// Both factors of a product and the sum are rounded: by 2^-12 each in float16 and TF32, by 2^-9 in bfloat16; whoever
// adds up in such a type rounds more often.
constexpr std::array kExactnesses{
    Exactness{.title = "as float32 rounds", .absolute = 0, .relative = kRounding},
    Exactness{.title = "to four decimals, as PyTorch prints", .absolute = 5.1e-5, .relative = kRounding},
    Exactness{.title = "as float16 and TF32 round", .absolute = 1e-7, .relative = 1.5e-3},
    Exactness{.title = "as bfloat16 rounds", .absolute = 1e-7, .relative = 1.2e-2},
};

/// How far `number` is from `right`; equal infinities and two NaN are the same.
double distance(double number, double right) noexcept {
  if (number == right || (std::isnan(number) && std::isnan(right))) return 0;
  const double off = std::abs(number - right);
  return std::isnan(off) ? std::numeric_limits<double>::infinity() : off;
}

bool is_within(double off, double magnitude, const Exactness& exactness) noexcept {
  return off <= exactness.absolute + exactness.relative * std::max(magnitude, 0.0);
}

/// The one number by which all that is right is multiplied, in the sense of least squares; 0 where the cells do not
/// say.
double factor_of(std::span<const float> brought, std::span<const float> right,
                 std::span<const float> magnitudes) noexcept {
  double across = 0, along = 0;
  std::int64_t telling = 0;
  for (std::size_t i = 0; i < right.size(); ++i) {
    if (!std::isfinite(brought[i]) || !std::isfinite(right[i])) return 0;
    across += static_cast<double>(brought[i]) * right[i];
    along += static_cast<double>(right[i]) * right[i];
    telling += right[i] != 0 ? 1 : 0;
  }
  // Of one number any other is a multiple.
  if (telling < 2 || across == 0) return 0;
  const double factor = across / along;
  const Exactness& exactness = kExactnesses.front();
  for (std::size_t i = 0; i < right.size(); ++i) {
    const double off = std::abs(brought[i] - factor * right[i]);
    if (!is_within(off, std::abs(factor) * magnitudes[i], exactness)) return 0;
  }
  return factor;
}

}  // namespace

std::span<const Exactness> exactnesses() noexcept { return kExactnesses; }

Result<Held> hold(std::span<const float> brought, std::span<const float> right, std::span<const float> magnitudes,
                  std::span<float> difference) {
  const auto mismatch = [&](std::string_view field) {
    return Status{ErrorCode::length_mismatch, field, "does not have the length of the result"};
  };
  if (brought.size() != right.size()) return mismatch("brought");
  if (magnitudes.size() != right.size()) return mismatch("magnitudes");
  if (difference.size() != right.size()) return mismatch("difference");
  Held held{.within = std::vector<std::int64_t>(kExactnesses.size())};
  double furthest = 0;
  for (std::size_t i = 0; i < right.size(); ++i) {
    const double off = distance(brought[i], right[i]);
    difference[i] = off == 0 ? 0.0F : static_cast<float>(static_cast<double>(brought[i]) - right[i]);
    held.not_finite += std::isfinite(brought[i]) ? 0 : 1;
    for (std::size_t e = 0; e < kExactnesses.size(); ++e)
      held.within[e] += is_within(off, magnitudes[i], kExactnesses[e]) ? 1 : 0;
    if (off <= furthest) continue;
    furthest = off;
    held.worst = static_cast<std::int64_t>(i);
  }
  const bool is_right = held.within.back() == static_cast<std::int64_t>(right.size());
  if (!is_right) held.factor = factor_of(brought, right, magnitudes);
  return held;
}

Result<Explanation> explain(const Geometry& g, Pass pass, const Inputs& inputs, std::span<const float> brought) {
  if (Status status = check_problem(g, pass, inputs); !status.ok()) return status;
  if (brought.size() != static_cast<std::size_t>(g.result_size(pass)))
    return Status{ErrorCode::length_mismatch, "brought", "does not have the length of the result"};
  const auto gives = [&](const std::vector<Cell>& cells, const Exactness& exactness) {
    for (std::size_t i = 0; i < cells.size(); ++i) {
      if (!is_within(distance(brought[i], cells[i].sum), cells[i].magnitude, exactness)) return false;
    }
    return true;
  };
  Explanation explanation;
  std::size_t tried = kExactnesses.size();
  const std::span<const Mistake> known = list();
  for (std::size_t i = 0; i < known.size(); ++i) {
    for (int way = 0; way < known[i].ways(g, pass); ++way) {
      const std::vector<Cell> cells = compute(g, pass, inputs, &known[i], way);
      for (std::size_t e = 0; e < tried; ++e) {
        if (!gives(cells, kExactnesses[e])) continue;
        // One that gives it more exactly takes the place of all that do not.
        if (explanation.exactness != static_cast<int>(e)) explanation.mistakes.clear();
        explanation.exactness = static_cast<int>(e);
        tried = e + 1;
        const bool told = !explanation.mistakes.empty() && explanation.mistakes.back() == static_cast<int>(i);
        if (!told) explanation.mistakes.push_back(static_cast<int>(i));
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

}  // namespace conv2d::mistakes
