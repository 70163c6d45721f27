#include "mistakes/shelf.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "mistakes/diagnose.hpp"
#include "mistakes/mistake.hpp"

namespace conv2d::mistakes {
namespace {

constexpr double kCheckTolerance = 1e-5;

bool same(const Cell& a, const Cell& b) noexcept {
  return std::abs(a.sum - b.sum) <= kRounding * std::max(a.magnitude, b.magnitude);
}

bool same(const std::vector<Cell>& a, const std::vector<Cell>& b) noexcept {
  return std::ranges::equal(a, b, [](const Cell& mine, const Cell& other) { return same(mine, other); });
}

}  // namespace

Result<Showing> show(const Geometry& g, Pass pass, const Inputs& inputs, int place, std::span<float> wrong,
                     std::span<float> difference) {
  if (Status status = check_problem(g, pass, inputs); !status.ok()) return status;
  const std::span<const Mistake> known = list();
  if (place < 0 || static_cast<std::size_t>(place) >= known.size())
    return Status{ErrorCode::invalid_argument, "place", "the list of mistakes has no such place"};
  const auto size = static_cast<std::size_t>(g.result_size(pass));
  if (wrong.size() != size || difference.size() != size)
    return Status{ErrorCode::length_mismatch, wrong.size() == size ? "difference" : "wrong",
                  "does not have the length of the result"};
  const std::vector<Cell> right = compute(g, pass, inputs, nullptr, 0);
  const auto made_by = [&](const Mistake& mistake) {
    return mistake.ways(g, pass) > 0 ? compute(g, pass, inputs, &mistake, 0) : right;
  };
  const std::vector<Cell> made = made_by(known[static_cast<std::size_t>(place)]);
  for (std::size_t i = 0; i < size; ++i) {
    wrong[i] = static_cast<float>(made[i].sum);
    difference[i] = same(made[i], right[i]) ? 0.0F : static_cast<float>(made[i].sum - right[i].sum);
  }
  Showing showing{
      .occasion = known[static_cast<std::size_t>(place)].ways(g, pass) > 0, .differs = !same(made, right), .alike = {}};
  for (std::size_t other = 0; other < known.size(); ++other) {
    if (same(made_by(known[other]), made)) showing.alike.push_back(static_cast<int>(other));
  }
  return showing;
}

Result<Checked> hold_against(std::span<const float> gradient, std::span<const float> measured) noexcept {
  if (gradient.size() != measured.size())
    return Status{ErrorCode::length_mismatch, "measured", "does not have the length of the gradient"};
  double largest = 0;
  for (const float slope : measured) largest = std::max(largest, std::abs(static_cast<double>(slope)));
  Checked checked;
  double furthest = kCheckTolerance * largest;
  for (std::size_t i = 0; i < gradient.size(); ++i) {
    const double off = std::abs(static_cast<double>(gradient[i]) - measured[i]);
    if (off <= kCheckTolerance * largest) continue;
    ++checked.failed;
    if (off > furthest) {
      furthest = off;
      checked.worst = static_cast<std::int64_t>(i);
    }
  }
  return checked;
}

}  // namespace conv2d::mistakes
