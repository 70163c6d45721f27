#include "verdict/judge.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

namespace conv2d_check {

std::int64_t distinct_count(std::span<const double> values) {
  double largest = 0;
  for (const double value : values) largest = std::max(largest, std::abs(value));
  std::set<double> distinct;
  for (const double value : values) {
    distinct.insert(std::nearbyint(value / (largest + 1e-300) * 1e5));
    if (std::ssize(distinct) == kMostDistinct) break;
  }
  return std::ssize(distinct);
}

bool is_nearer(std::span<const double> values, std::span<const double> mine, std::span<const double> other) {
  double to_mine = 0, to_other = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    to_mine += std::pow(values[i] - mine[i], 2);
    to_other += std::pow(values[i] - other[i], 2);
  }
  return 64 * to_mine < to_other;
}

Judge::Judge(const Problem& problem, Pass pass, std::span<const float> values, const Options& options)
    : problem_(problem),
      pass_(pass),
      options_(options),
      values_(values.begin(), values.end()),
      few_(std::cmp_less(values.size(), kFew)),
      bound_(bound_of(problem, pass, std::ssize(values))),
      factors_(named_factors(problem, pass, options)) {}

Judge::Target Judge::target_of(Expected expected) const {
  // Cells that NaN or Inf of the operands reach were compared before.
  if (not_finite_ > 0) {
    for (std::size_t i = 0; i < expected.values.size(); ++i) {
      if (std::isfinite(right_.expected.values.empty() ? expected.values[i] : right_.expected.values[i]) &&
          std::isfinite(expected.values[i]) && std::isfinite(expected.norms[i]))
        continue;
      expected.values[i] = 0;
      expected.norms[i] = 0;
    }
  }
  Target target{.expected = std::move(expected)};
  target.scale = scale_of(problem_, pass_, target.expected);
  target.tolerance = tolerance_of(target.scale, bound_, target.expected.terms);
  for (std::size_t i = 0; i < noise_.size(); ++i) target.tolerance[i] += noise_[i];
  return target;
}

std::span<const float> Judge::parameter() const {
  if (problem_.layer != Layer::conv) return {};
  const std::span<const float> of_pass[]{{}, problem_.in.x, problem_.in.w, problem_.in.b};
  const auto values = of_pass[static_cast<std::size_t>(pass_)];
  return values.size() == values_.size() ? values : std::span<const float>{};
}

double Judge::best_factor(const Target& target) const {
  double product = 0, square = 0;
  for (std::size_t i = 0; i < values_.size(); ++i) {
    const double scale = target.scale[i] + std::numeric_limits<double>::min(),
                 right = target.expected.values[i] / scale;
    product += values_[i] / scale * right;
    square += right * right;
  }
  return square > 0 ? product / square : 0;
}

bool Judge::fits_scaled(const Target& target, double factor, const Storage& storage) const {
  for (std::size_t i = 0; i < values_.size(); ++i) {
    if (!is_in(values_[i],
               allowed(factor * target.expected.values[i], std::abs(factor) * target.tolerance[i], storage)))
      return false;
  }
  return true;
}

Verdict Judge::verdict() {
  if (values_.empty()) {
    Verdict none = verdict_of(Judgement::cannot_tell);
    none.reason = "the result has no cells";
    return none;
  }
  right_ = {.expected = exact(problem_, pass_)};
  if (auto found = not_finite()) return *found;
  right_ = target_of(std::move(right_.expected));
  double largest = 0;
  for (const double norm : right_.expected.norms) largest = std::max(largest, norm);
  if (std::sqrt(static_cast<double>(right_.expected.terms)) * largest > 3e38) {
    Verdict beyond = verdict_of(Judgement::cannot_tell);
    beyond.reason = "the sums are larger than the largest float32 number";
    return beyond;
  }
  const bool has_nan = std::ranges::any_of(values_, [](double value) { return std::isnan(value); });
  if (!has_nan) storages_ = storages_of(values_, options_.is_text);
  if (auto found = as_float32()) return *found;
  if (as_tiles_) {
    precisions_ = tried_precisions();
    if (auto found = in_formats()) return *found;
    return *doubt_;
  }
  if (!has_nan) {
    find_worst_cells();
    singles_ = shortlist(single_suspects(problem_, pass_));
    if (auto found = as_named_factor({})) return *found;
    if (auto found = as_mistake(problem_, {}, singles_)) return *found;
    precisions_ = tried_precisions();
    if (auto found = in_formats()) return *found;
    if (auto found = mistakes_in_formats()) return *found;
    if (auto found = with_noise()) return *found;
    if (doubt_) return *doubt_;
    if (auto found = as_long_sum()) return *found;
    if (auto found = as_any_factor()) return *found;
    if (auto found = as_added(parameter(), true)) return *found;
    if (auto found = as_added(std::vector<float>(values_.size(), 1.0F), false)) return *found;
    if (auto found = as_mistake(problem_, {}, shortlist(double_suspects(problem_, pass_)))) return *found;
  }
  Verdict different = as_different();
  if (different.judgement == Judgement::partly_wrong || has_nan) return different;
  if (auto found = as_low_precision_sum()) return *found;
  return different;
}

std::optional<Verdict> Judge::not_finite() {
  const auto& right = right_.expected.values;
  for (std::size_t i = 0; i < values_.size(); ++i) {
    if (std::isfinite(right[i])) continue;
    ++not_finite_;
    if (!std::isfinite(values_[i])) {
      values_[i] = 0;
      continue;
    }
    Verdict verdict = verdict_of(Judgement::differs);
    verdict.worst = static_cast<std::int64_t>(i);
    verdict.yours = values_[i];
    verdict.right = right[i];
    verdict.differing = 1;
    verdict.reason = "a number where the operands give NaN or infinity";
    return verdict;
  }
  if (not_finite_ < std::ssize(values_)) return std::nullopt;
  Verdict all = verdict_of(Judgement::cannot_tell);
  all.reason = "NaN or infinity among the operands reaches every cell";
  return all;
}

std::optional<Verdict> Judge::as_float32() {
  if (!fits(values_, right_.expected.values, right_.tolerance, {})) return std::nullopt;
  bool all_small = true, any_differs = false;
  for (std::size_t i = 0; i < values_.size(); ++i) {
    all_small = all_small && std::abs(right_.expected.values[i]) <= right_.tolerance[i];
    any_differs = any_differs || values_[i] != right_.expected.values[i];
  }
  if (all_small && any_differs) {
    Verdict zeros = verdict_of(Judgement::cannot_tell);
    zeros.reason = "all right values are so small beside their terms that zeros would match as well";
    return zeros;
  }
  suspicion_ = structure_of(values_, right_.expected.values, right_.scale, parameter(), right_.expected.terms, false);
  no_tiles_ = suspicion_.kind != Structure::Kind::none || shows_in_steps();
  if (no_tiles_) return std::nullopt;
  const LargeErrors large = large_errors(right_, {}, suspicion_);
  if (large.cells == 0) return verdict_of(Judgement::matches);
  if (!is_doubted(large, {}, right_)) as_tiles_ = verdict_of(Judgement::matches);
  return std::nullopt;
}

/// Values within the float32 tolerance that were stored in steps all the same: cells with fine steps show a multiple of
/// the parameter that is hidden from float32 weights, and steps leave less for tiles to explain.
bool Judge::shows_in_steps() {
  for (const PossibleStorage& possible : storages_) {
    if (possible.storage.empty() || !possible.is_sure) continue;
    if (!fits(values_, right_.expected.values, right_.tolerance, possible.storage)) continue;
    const auto scale = scale_with_steps(right_.scale, right_.expected.values, possible.storage);
    const Structure found =
        structure_of(values_, right_.expected.values, scale, parameter(), right_.expected.terms, true);
    if (found.kind != Structure::Kind::none) {
      suspicion_ = found;
      return true;
    }
    if (is_doubted(large_errors(right_, possible.storage, found), {.storage = possible.storage}, right_)) return true;
  }
  return false;
}

void Judge::find_worst_cells() {
  std::int64_t by_scale = 0, by_size = 0;
  double largest = -1, largest_scaled = -1;
  for (std::int64_t i = 0; i < std::ssize(values_); ++i) {
    const auto at = static_cast<std::size_t>(i);
    const double error = std::abs(values_[at] - right_.expected.values[at]);
    const double scaled = error / (right_.scale[at] + std::numeric_limits<double>::min());
    if (error > largest) largest = error, by_size = i;
    if (scaled > largest_scaled) largest_scaled = scaled, by_scale = i;
  }
  worst_cells_ = {by_scale};
  if (by_size != by_scale) worst_cells_.push_back(by_size);
}

Verdict Judge::verdict_of(Judgement judgement) const {
  Verdict verdict;
  verdict.judgement = judgement;
  verdict.cells = std::ssize(values_);
  return verdict;
}

void Judge::describe_difference(Verdict& verdict, const Target& target, const Storage& storage) const {
  double largest = -1;
  verdict.differing = 0;
  for (std::size_t i = 0; i < values_.size(); ++i) {
    const double right = target.expected.values[i];
    if (is_in(values_[i], allowed(right, target.tolerance[i], storage))) continue;
    ++verdict.differing;
    const double off = std::isnan(values_[i]) ? std::numeric_limits<double>::infinity() : std::abs(values_[i] - right);
    if (off <= largest) continue;
    largest = off;
    verdict.worst = static_cast<std::int64_t>(i);
    verdict.yours = values_[i];
    verdict.right = right;
  }
}

}  // namespace conv2d_check
