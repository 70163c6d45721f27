#include <array>
#include <cmath>
#include <utility>

#include "verdict/judge.hpp"

/// A plain sum may be off by little, tiles of Winograd and an FFT by much. An error beyond a plain sum is theirs only
/// if it looks like theirs: it spreads over the cells beside it, in both directions.
namespace conv2d_check {
namespace {

/// An error this many times as large as those of all cells beside it is no tile's: in 6 of 6,500 right results of
/// Winograd and FFT with errors beyond plain sums, half of these errors are.
constexpr double kAlone = 16;
/// More cells of a stored result may be alone: steps hide the errors beside them.
constexpr std::size_t kMostAlone = 2;
/// Times the noise: errors of tiles have both signs. At most 1.9 in the same results.
constexpr double kBiased = 5;
/// Standard errors of a multiple of the parameter; at most 4.8 in right results.
constexpr double kSuspicious = 5;

}  // namespace

/// Whether the cells beside `cell` are right to within a part of its error.
bool Judge::is_alone(const Target& target, std::size_t cell, const Storage& storage) const {
  const auto& right = target.expected.values;
  const double quiet = std::abs(values_[cell] - right[cell]) / kAlone;
  const auto [rows, columns] = image_axes(problem_.geometry, pass_);
  const auto at = static_cast<std::int64_t>(cell);
  const auto has = [&](const Axis& axis, std::int64_t step) {
    const std::int64_t index = at / axis.stride % axis.size + step;
    return index >= 0 && index < axis.size;
  };
  for (std::int64_t i = -1; i <= 1; ++i)
    for (std::int64_t j = -1; j <= 1; ++j) {
      if ((i == 0 && j == 0) || !has(rows, i) || !has(columns, j)) continue;
      const auto beside = static_cast<std::size_t>(at + i * rows.stride + j * columns.stride);
      if (!is_in(values_[beside], allowed(right[beside], quiet, storage))) return false;
    }
  return true;
}

/// `structure`: of the same values.
Judge::LargeErrors Judge::large_errors(const Target& target, const Storage& storage, const Structure& structure) const {
  if (bound_ == Bound::plain_sum) return {};
  const auto& right = target.expected.values;
  const auto plain = plain_tolerance_of(target.expected);
  LargeErrors found;
  std::size_t alone = 0;
  for (std::size_t i = 0; i < right.size(); ++i) {
    const double noise = noise_.empty() ? 0 : noise_[i];
    if (is_in(values_[i], allowed(right[i], plain[i] + noise, storage))) continue;
    ++found.cells;
    alone += is_alone(target, i, storage) ? 1 : 0;
  }
  if (found.cells == 0) return found;
  if (2 * alone >= found.cells && (storage.empty() || found.cells <= kMostAlone)) {
    const bool is_one = found.cells == 1;
    found.why_no_tiles = (is_one ? "one cell is" : std::to_string(found.cells) + " cells are") +
                         std::string(" off by more than a float32 sum can be, and the cells beside ") +
                         (is_one ? "it" : "them") + " are not";
  } else if (storage.empty() && structure.bias > kBiased * structure.noise) {
    found.why_no_tiles = "all errors have the same direction, and a float32 sum has smaller ones";
  } else if (structure.significance > kSuspicious) {
    found.why_no_tiles = "the errors look like a multiple of " + std::string(pass_ == Pass::backward_data ? "x" : "w") +
                         ", and a float32 sum has smaller ones";
  }
  return found;
}

/// Whether the errors are not those of tiles: that is a doubt.
bool Judge::is_doubted(const LargeErrors& errors, const Precision& precision, const Target& target) {
  if (errors.why_no_tiles.empty()) return false;
  no_tiles_ = true;
  doubt(precision, errors.why_no_tiles, target, precision.storage);
  return true;
}

/// Keeps the first precision that fits, but cannot be confirmed. Cells that differ are those of `target` and `storage`
/// that a plain sum does not give.
void Judge::doubt(const Precision& precision, std::string reason, const Target& target, const Storage& storage) {
  if (doubt_) return;
  doubt_ = verdict_of(Judgement::cannot_tell);
  doubt_->format = precision.name();
  doubt_->reason = std::move(reason);
  Target plain = target;
  plain.tolerance = plain_tolerance_of(target.expected);
  describe_difference(*doubt_, plain, storage);
}

}  // namespace conv2d_check
