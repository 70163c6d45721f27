#include "verdict/judge.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include "verdict/where.hpp"
#include "verdict/words.hpp"

namespace conv2d_check {
namespace {

constexpr std::int64_t kFewDistinct = 64;

std::int64_t distinct_operands(std::span<const float> values) {
  const std::set<float> distinct(values.begin(), values.begin() + std::min<std::ptrdiff_t>(1000, std::ssize(values)));
  return std::ssize(distinct);
}

}  // namespace

std::optional<Verdict> Judge::as_long_sum() const {
  const std::int64_t terms = right_.expected.terms;
  if (const Bound of_many = bound_of(problem_, pass_, kFew); few_ && of_many != Bound::plain_sum) {
    const auto tolerance = tolerance_of(right_.scale, of_many, terms);
    if (fits(values_, right_.expected.values, tolerance, {}) && suspicion_.kind == Structure::Kind::none) {
      Verdict beyond = verdict_of(Judgement::cannot_tell);
      beyond.reason = "the error is larger than that of one float32 sum, but Winograd could make it";
      describe_difference(beyond, right_, {});
      return beyond;
    }
  }
  if (units_of(Bound::unlimited, terms) <= units_of(Bound::plain_sum, terms)) return std::nullopt;
  const Inputs& in = problem_.in;
  const std::int64_t distinct =
      pass_ == Pass::forward            ? std::min(distinct_operands(in.x), distinct_operands(in.w))
      : pass_ == Pass::backward_data    ? std::min(distinct_operands(in.dy), distinct_operands(in.w))
      : pass_ == Pass::backward_weights ? std::min(distinct_operands(in.x), distinct_operands(in.dy))
                                        : 1;
  if (distinct > kFewDistinct) return std::nullopt;
  const auto tolerance = tolerance_of(right_.scale, Bound::unlimited, terms);
  if (!fits(values_, right_.expected.values, tolerance, {})) return std::nullopt;
  Verdict long_sum = verdict_of(Judgement::cannot_tell);
  long_sum.reason = "one float32 sum of " + std::to_string(terms) + " similar terms may be off by this";
  describe_difference(long_sum, right_, {});
  return long_sum;
}

std::optional<Verdict> Judge::as_any_factor() const {
  const bool is_other = suspicion_.kind == Structure::Kind::parameter || suspicion_.kind == Structure::Kind::one_cell;
  if (distinct_count(right_.expected.values) < 2 || is_other) return std::nullopt;
  const double factor = best_factor(right_);
  if (factor == 0) return std::nullopt;
  for (const PossibleStorage& possible : storages_) {
    if (!possible.is_sure || !fits_scaled(right_, factor, possible.storage)) continue;
    // A coarse storage fits many factors.
    if (!possible.storage.empty() && is_accident(right_, {.storage = possible.storage}, 1)) continue;
    Verdict scaled = verdict_of(Judgement::scaled);
    scaled.factor = factor;
    scaled.format = Precision{.storage = possible.storage}.name();
    describe_difference(scaled, right_, possible.storage);
    return scaled;
  }
  return std::nullopt;
}

std::optional<Verdict> Judge::as_added(std::span<const float> added, bool is_parameter) const {
  if (added.empty() || values_.size() < 2) return std::nullopt;
  // A constant parameter cannot be told from a constant.
  if (is_parameter && std::ranges::all_of(added, [&](float one) { return one == added.front(); })) return std::nullopt;
  double product = 0, square = 0;
  for (std::size_t i = 0; i < values_.size(); ++i) {
    const double weight = 1 / (right_.scale[i] + std::numeric_limits<double>::min());
    product += (values_[i] - right_.expected.values[i]) * added[i] * weight * weight;
    square += static_cast<double>(added[i]) * added[i] * weight * weight;
  }
  if (square == 0 || product == 0) return std::nullopt;
  const double amount = product / square;
  Target target = right_;
  for (std::size_t i = 0; i < values_.size(); ++i) {
    target.expected.values[i] += amount * added[i];
    target.tolerance[i] += std::abs(amount * added[i]) * kUnit * 4;
  }
  if (distinct_count(target.expected.values) < 3) return std::nullopt;
  for (const PossibleStorage& possible : storages_) {
    if (!possible.is_sure || !fits_scaled(target, 1, possible.storage)) continue;
    if (!is_nearer(values_, target.expected.values, right_.expected.values)) continue;
    Verdict too_much = verdict_of(is_parameter ? Judgement::mistake : Judgement::differs);
    too_much.format = Precision{.storage = possible.storage}.name();
    if (is_parameter) {
      too_much.names = {pass_ == Pass::backward_data ? "input_added" : "weight_decay"};
      too_much.factor = amount;
    } else {
      too_much.relation =
          "the right values " + std::string(amount < 0 ? "minus " : "plus ") + number_text(std::abs(amount));
    }
    describe_difference(too_much, right_, possible.storage);
    return too_much;
  }
  return std::nullopt;
}

std::optional<Verdict> Judge::as_low_precision_sum() const {
  for (const PossibleStorage& possible : storages_) {
    if (possible.storage.size() != 1 || !is_half(possible.storage.front().kind)) continue;
    const Format half = possible.storage.front();
    if (half.mode != Mode::even) continue;
    if (std::ranges::find(options_.formats, name_of(half)) != options_.formats.end()) continue;
    const Target target = target_of(rounded_result({half, half}));
    const double factor = best_factor(target);
    const double terms = static_cast<double>(target.expected.terms);
    const double wide = std::min((2 + std::sqrt(terms)) * std::ldexp(1.0, -bits_of(half.kind)), 1.0 / 8);
    std::int64_t outside = 0;
    bool fits_wide = true;
    for (std::size_t i = 0; i < values_.size(); ++i) {
      const double right = target.expected.values[i];
      outside += is_in(values_[i], allowed(right, target.tolerance[i], {half})) ? 0 : 1;
      fits_wide = fits_wide && std::abs(values_[i] - right) <= wide * target.scale[i];
    }
    if (!fits_wide) continue;
    const bool is_refused =
        values_.size() > 3 && (fits_scaled(target, factor, {half}) ||
                               static_cast<double>(outside) < 0.05 * static_cast<double>(values_.size()));
    if (is_refused) continue;
    Verdict summed = verdict_of(Judgement::cannot_tell);
    summed.format = name_of(half);
    summed.reason = "the values could be right if they were summed in " + summed.format +
                    ", which is too inexact to tell a mistake from rounding";
    describe_difference(summed, target, {half});
    return summed;
  }
  return std::nullopt;
}

Verdict Judge::as_different() const {
  // Of the readings that the values allow, the one with the fewest wrong cells.
  const Target* base = &right_;
  Target rounded_target;
  Storage storage;
  const auto outside_of = [&](const Target& target, const Storage& stored) {
    std::int64_t outside = 0;
    for (std::size_t i = 0; i < values_.size(); ++i)
      outside += is_in(values_[i], allowed(target.expected.values[i], target.tolerance[i], stored)) ? 0 : 1;
    return outside;
  };
  std::int64_t fewest = outside_of(right_, {});
  for (const PossibleStorage& possible : storages_) {
    if (possible.storage.empty() || !possible.is_sure) continue;
    if (const std::int64_t outside = outside_of(right_, possible.storage); outside < fewest) {
      fewest = outside;
      storage = possible.storage;
      base = &right_;
    }
    if (!is_half(possible.storage.front().kind)) continue;
    Target target = target_of(rounded_result({possible.storage.front(), possible.storage.front()}));
    if (const std::int64_t outside = outside_of(target, possible.storage); outside < fewest) {
      fewest = outside;
      storage = possible.storage;
      rounded_target = std::move(target);
      base = &rounded_target;
    }
  }
  Verdict different = verdict_of(Judgement::differs);
  different.format = Precision{.storage = storage}.name();
  describe_difference(different, *base, storage);
  if (suspicion_.kind == Structure::Kind::parameter) {
    different.judgement = Judgement::mistake;
    different.names = {pass_ == Pass::backward_data ? "input_added" : "weight_decay"};
    different.factor = suspicion_.amount;
    return different;
  }
  if (suspicion_.kind == Structure::Kind::one_cell && fewest == 0) {
    different.judgement = Judgement::partly_wrong;
    different.differing = 1;
    different.worst = suspicion_.cell;
    different.yours = values_[static_cast<std::size_t>(suspicion_.cell)];
    different.right = right_.expected.values[static_cast<std::size_t>(suspicion_.cell)];
    different.where = "one cell, with an error far larger than that of the others";
    return different;
  }
  if (suspicion_.kind == Structure::Kind::offset_or_factor && fewest == 0) {
    different.reason = "the errors have the same direction everywhere, which rounding does not explain";
    return different;
  }
  std::vector<char> differs(values_.size());
  for (std::size_t i = 0; i < values_.size(); ++i)
    differs[i] = is_in(values_[i], allowed(base->expected.values[i], base->tolerance[i], storage)) ? 0 : 1;
  if (const auto where = describe(problem_, pass_, values_, base->expected.values, base->tolerance, differs)) {
    different.judgement = Judgement::partly_wrong;
    different.where = where->where;
    different.relation = where->relation;
    return different;
  }
  if (different.differing == 1 && different.cells > 1) {
    different.judgement = Judgement::partly_wrong;
    different.where = "one cell";
  }
  different.relation = relation_of(problem_, pass_, values_, base->expected.values, base->tolerance, differs);
  // Cells that were never written may have a rule where the others are wrong as well.
  for (std::size_t i = 0; i < values_.size(); ++i) differs[i] = std::isnan(values_[i]) ? 1 : 0;
  if (const auto where = describe(problem_, pass_, values_, base->expected.values, base->tolerance, differs))
    different.relation = "NaN in " + where->where + ", and wrong elsewhere";
  return different;
}

}  // namespace conv2d_check
