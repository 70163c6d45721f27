#include "verdict/judge.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include "verdict/where.hpp"
#include "verdict/words.hpp"

namespace conv2d_check {
namespace {

constexpr double kCoarse = 1.0 / 16;  ///< of the rms of the values: a wider interval shows nothing
constexpr double kChance = 1e-3;      ///< of an accident that is not believed
constexpr double kGrowth = 1.02;
constexpr std::int64_t kSample = 48;
constexpr std::int64_t kFewDistinct = 64;

struct FormatModes {
  FormatKind kind;
  std::vector<Mode> modes;
};
// bfloat16 and TF32 are rounded or cut off, as the hardware has it.
const FormatModes kFormats[] = {
    {.kind = FormatKind::exact, .modes = {Mode::even}},
    {.kind = FormatKind::bfloat16, .modes = {Mode::even, Mode::zero}},
    {.kind = FormatKind::float16, .modes = {Mode::even}},
    {.kind = FormatKind::tf32, .modes = {Mode::even, Mode::away, Mode::zero}},
};

std::int64_t distinct_count(std::span<const double> values) {
  double largest = 0;
  for (const double value : values) largest = std::max(largest, std::abs(value));
  std::set<double> distinct;
  for (const double value : values) distinct.insert(std::nearbyint(value / (largest + 1e-300) * 1e5));
  return std::ssize(distinct);
}

std::int64_t distinct_operands(std::span<const float> values) {
  const std::set<float> distinct(values.begin(), values.begin() + std::min<std::ptrdiff_t>(1000, std::ssize(values)));
  return std::ssize(distinct);
}

template <class T>
std::vector<T> chosen(const std::vector<T>& values, std::span<const std::int64_t> cells) {
  std::vector<T> some;
  for (const std::int64_t cell : cells) some.push_back(values[static_cast<std::size_t>(cell)]);
  return some;
}

/// Whether `values` are much nearer to `mine` than to `other`.
bool is_nearer(std::span<const double> values, const Expected& mine, const Expected& other) {
  double to_mine = 0, to_other = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    to_mine += std::pow(values[i] - mine.values[i], 2);
    to_other += std::pow(values[i] - other.values[i], 2);
  }
  return 64 * to_mine < to_other;
}

}  // namespace

std::string Reading::name() const {
  std::string name;
  if (rounds_inputs) {
    const bool first = rounding.first.kind != FormatKind::exact;
    name = name_of(first ? rounding.first : rounding.second);
  }
  for (const Format& format : storage) {
    const std::string stored = name_of(format);
    if (name.empty()) name = stored;
    if (name != stored && !name.ends_with(", " + stored)) name += ", " + stored;
  }
  return name.empty() ? "float32" : name;
}

std::vector<NamedFactor> named_factors(const Problem& problem, Pass pass, const Options& options) {
  const Geometry& g = problem.geometry;
  std::vector<NamedFactor> factors{{-1, "the sign is wrong"}, {2, "added twice"}, {0.5, "halved"}};
  const auto add = [&](std::int64_t count, const std::string& what) {
    if (count < 2) return;
    const auto size = static_cast<double>(count);
    if (std::ranges::any_of(factors, [&](const NamedFactor& f) { return f.value == 1 / size; })) return;
    factors.push_back({1 / size, "1 / " + what});
    factors.push_back({size, "times " + what});
  };
  if (pass != Pass::forward) {
    factors[2].reason = "a loss halved";
    add(g.n, "the number of images (a mean over the batch)");
    add(g.y_size, "the number of cells of y (a mean over y)");
    add(g.n * g.oh * g.ow, "n * oh * ow (a mean over windows)");
    add(g.oh * g.ow, "oh * ow (a mean over the windows of an image)");
    for (const double rate : {0.1, 0.01, 0.001, 1e-4, options.learning_rate}) {
      if (rate == 0 || rate == 1) continue;
      factors.push_back({rate, "a learning rate"});
      factors.push_back({-rate, "an update: minus a learning rate"});
    }
  } else if (problem.layer == Layer::conv) {
    add(g.kh * g.kw, "the taps of the kernel (a mean over the window)");
    add(g.kh * g.kw * g.group_c, "the terms of a window (a mean over them)");
  }
  return factors;
}

Judge::Judge(const Problem& problem, Pass pass, std::span<const float> values, const Options& options)
    : problem_(problem),
      pass_(pass),
      options_(options),
      values_(values.begin(), values.end()),
      few_(std::cmp_less(values.size(), kFew)),
      mixes_(mixes_cells(problem, pass, std::ssize(values))),
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
  target.tolerance = tolerance_of(target.scale, mixes_ ? Bound::tiled : Bound::plain_sum, target.expected.terms);
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
    const double scale = target.scale[i] + std::numeric_limits<double>::min(), right = target.expected.values[i] / scale;
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

std::vector<std::int64_t> Judge::sample_cells() const {
  const std::int64_t cells = std::ssize(values_), count = std::min(cells, kSample);
  std::vector<std::int64_t> sample;
  for (std::int64_t i = 0; i < count; ++i) sample.push_back(count == cells ? i : (cells - 1) * i / (count - 1));
  return sample;
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
  if (auto found = as_float32()) return *found;
  const bool has_nan = std::ranges::any_of(values_, [](double value) { return std::isnan(value); });
  if (!has_nan) {
    storages_ = storages_of(values_, options_.is_text);
    if (auto found = as_named_factor({})) return *found;
    if (auto found = as_mistake(problem_, {}, false)) return *found;
    if (auto found = in_formats()) return *found;
    if (auto found = mistakes_in_formats()) return *found;
    if (doubt_) return *as_doubtful();
    if (auto found = as_long_sum()) return *found;
    if (auto found = as_any_factor()) return *found;
    if (auto found = as_added(parameter(), true)) return *found;
    if (auto found = as_added(std::vector<float>(values_.size(), 1.0F), false)) return *found;
    if (auto found = as_mistake(problem_, {}, true)) return *found;
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
  if (suspicion_.kind != Structure::Kind::none) return std::nullopt;
  return verdict_of(Judgement::matches);
}

std::optional<Verdict> Judge::as_named_factor(const Storage& storage) const {
  // One value is a multiple of any other.
  if (distinct_count(right_.expected.values) < 2) return std::nullopt;
  const double best = best_factor(right_);
  for (const NamedFactor& factor : factors_) {
    if (std::abs(best - factor.value) > 0.02 * std::abs(factor.value)) continue;
    if (!fits_scaled(right_, factor.value, storage)) continue;
    Verdict scaled = verdict_of(Judgement::scaled);
    scaled.factor = factor.value;
    scaled.factor_reason = factor.reason;
    scaled.format = Reading{.storage = storage}.name();
    scaled.differing = std::ssize(values_);
    describe_difference(scaled, right_, storage);
    for (const Suspect& suspect : single_suspects(problem_, pass_)) {
      const Expected wrong = expected_of(suspect, problem_, pass_);
      if (wrong.values.empty()) continue;
      const Target target = target_of(wrong);
      const std::string name(name_of(problem_, suspect.first));
      if (fits_scaled(target, 1, storage) && std::ranges::find(scaled.names, name) == scaled.names.end())
        scaled.names.push_back(name);
    }
    return scaled;
  }
  return std::nullopt;
}

std::optional<Verdict> Judge::as_mistake(const Problem& problem, const Reading& reading, bool two) {
  const auto suspects = two ? double_suspects(problem, pass_) : single_suspects(problem, pass_);
  struct Hit {
    Suspect suspect;
    double factor;
    std::string reason;
  };
  std::vector<Hit> hits;
  for (const Suspect& suspect : suspects) {
    const Sample sample = sample_of(suspect, problem, pass_, kSample);
    if (sample.cells.empty()) continue;
    // The scale of the sample is not that of the result, which also has the neighbours: a wide interval.
    const double units = kGrowth * units_of(mixes_ ? Bound::tiled : Bound::plain_sum, sample.expected.terms) * kUnit;
    const double mean = rms(right_.scale) + rms(sample.expected.norms);
    const auto sample_fits = [&](double factor) {
      for (std::size_t i = 0; i < sample.cells.size(); ++i) {
        const double value = sample.expected.values[i];
        const double wide = units * (4 * mean + std::hypot(sample.expected.norms[i], value) +
                                     8 * right_.scale[static_cast<std::size_t>(sample.cells[i])]);
        if (!is_in(values_[static_cast<std::size_t>(sample.cells[i])],
                   allowed(factor * value, std::abs(factor) * wide, reading.storage)))
          return false;
      }
      return true;
    };
    const auto confirm = [&](double factor, const std::string& reason) {
      if (!sample_fits(factor)) return false;
      Expected wrong = expected_of(suspect, problem, pass_);
      if (wrong.values.empty()) return false;
      const Target target = target_of(std::move(wrong));
      if (!is_nearer(values_, target.expected, right_.expected) && factor == 1) return false;
      if (factor != 1 && distinct_count(target.expected.values) < 3) return false;
      if (!fits_scaled(target, factor, reading.storage)) return false;
      if (two && distinct_count(target.expected.values) < 6) return false;
      const bool is_stored = !reading.storage.empty();
      if ((is_stored || reading.rounds_inputs) && is_accident(target, reading, static_cast<int>(suspects.size())))
        return false;
      const auto structure = structure_of(values_, target.expected.values, target.scale, {}, target.expected.terms,
                                          is_stored || factor != 1);
      if (structure.kind != Structure::Kind::none) return false;
      hits.push_back({.suspect = suspect, .factor = factor, .reason = reason});
      return true;
    };
    if (confirm(1, "") || two) continue;
    double product = 0, square = 0;
    for (std::size_t i = 0; i < sample.cells.size(); ++i) {
      product += values_[static_cast<std::size_t>(sample.cells[i])] * sample.expected.values[i];
      square += sample.expected.values[i] * sample.expected.values[i];
    }
    if (square == 0) continue;
    for (const NamedFactor& factor : factors_) {
      if (std::abs(product / square - factor.value) > 0.02 * std::abs(factor.value)) continue;
      if (confirm(factor.value, factor.reason)) break;
    }
  }
  if (hits.empty()) return std::nullopt;
  std::ranges::stable_sort(hits, {}, [](const Hit& hit) { return hit.factor == 1 ? 0 : 1; });
  Verdict mistake = verdict_of(Judgement::mistake);
  mistake.factor = hits.front().factor;
  mistake.factor_reason = hits.front().reason;
  mistake.format = reading.name();
  for (const Hit& hit : hits) {
    if (hit.factor != mistake.factor) break;
    const auto add = [&](const MistakeVariant& one) {
      const std::string name(name_of(problem_, one));
      if (std::ranges::find(mistake.names, name) == mistake.names.end()) {
        mistake.names.push_back(name);
        mistake.reason += (mistake.reason.empty() ? "" : " ") + sentence_of(problem_, pass_, one);
      }
    };
    add(hit.suspect.first);
    if (!two) continue;
    add(hit.suspect.second);
    mistake.in_sequence = true;
    break;
  }
  describe_difference(mistake, right_, reading.storage);
  return mistake;
}

bool Judge::is_accident(const Target& target, const Reading& reading, int tried) const {
  const auto& right = target.expected.values;
  std::vector<double> half(right.size());
  for (std::size_t i = 0; i < right.size(); ++i) {
    const Interval interval = allowed(right[i], target.tolerance[i], reading.storage);
    half[i] = std::max(interval.last - right[i], right[i] - interval.first);
  }
  const double width = rms(half);
  if (!(width < kCoarse * rms(right))) return true;
  const std::int64_t distinct = distinct_count(right_.expected.values);
  const bool is_rounded = reading.rounds_inputs;
  const auto is_known = [&](FormatKind kind) {
    return std::ranges::find(options_.formats, name_of(Format{.kind = kind})) != options_.formats.end();
  };
  const Format& first = reading.rounding.first;
  const bool is_whole = !reading.storage.empty() && first.kind == reading.rounding.second.kind &&
                        first.kind == reading.storage.front().kind && distinct > 2;
  const FormatKind kind = first.kind == FormatKind::exact ? reading.rounding.second.kind : first.kind;
  if (!is_rounded || is_whole || is_known(kind)) return false;
  // What a wrong result would be off by: all of it if it is stored coarsely, else what no factor explains.
  double yard = rms(right) / 64;
  if (reading.storage.empty() || !is_half(reading.storage.back().kind)) {
    double product = 0, square = 0;
    for (std::size_t i = 0; i < right.size(); ++i) {
      product += right[i] * right_.expected.values[i];
      square += right_.expected.values[i] * right_.expected.values[i];
    }
    std::vector<double> unexplained(right.size());
    for (std::size_t i = 0; i < right.size(); ++i)
      unexplained[i] = right[i] - (square > 0 ? product / square : 0) * right_.expected.values[i];
    yard = rms(unexplained);
  }
  const double chance =
      tried * std::pow(std::min(1.0, width / (yard + 1e-300)), static_cast<double>(std::min<std::int64_t>(distinct, 400)));
  return chance > kChance;
}

template <class Visit>
std::optional<Verdict> Judge::for_each_reading(Visit visit) {
  const bool has_second = problem_.layer == Layer::conv && pass_ != Pass::backward_bias;
  int tried = 0;
  for (const FormatModes& format : kFormats) {
    const bool is_rounded = format.kind != FormatKind::exact;
    for (const Mode mode : format.modes) {
      const Format full{.kind = format.kind, .mode = mode}, none{};
      std::vector<InputRounding> roundings;
      if (!is_rounded) {
        roundings = {{}};
      } else {
        roundings = {{full, full}};
        if (has_second) {
          roundings.push_back({full, none});
          roundings.push_back({none, full});
        }
        if (pass_ == Pass::forward && !problem_.in.b.empty()) {
          const auto count = roundings.size();
          for (std::size_t i = 0; i < count; ++i) {
            if (roundings[i].second != none) {
              roundings.push_back(roundings[i]);
              roundings.back().rounds_bias = false;
            }
          }
        }
      }
      for (const InputRounding& rounding : roundings) {
        const RoundedProblem rounded(problem_, pass_, rounding);
        if (is_rounded && !rounded.changes()) continue;
        for (const PossibleStorage& possible : storages_) {
          if (!is_rounded && possible.storage.empty()) continue;
          const bool is_other_half = is_rounded && !possible.storage.empty() &&
                                     is_half(possible.storage.front().kind) &&
                                     possible.storage.front().kind != format.kind;
          if (is_other_half) continue;
          ++tried;
          const Reading reading{.rounding = rounding, .storage = possible.storage, .rounds_inputs = is_rounded};
          if (auto found = visit(rounded, reading, possible.is_sure, tried)) return found;
        }
      }
    }
  }
  return std::nullopt;
}

std::optional<Verdict> Judge::in_formats() {
  const auto sample = sample_cells();
  const auto some_values = chosen(values_, sample), some_tolerance = chosen(right_.tolerance, sample);
  return for_each_reading(
      [&](const RoundedProblem& rounded, const Reading& reading, bool is_sure, int tried) -> std::optional<Verdict> {
        std::vector<double> tolerance = some_tolerance;
        for (double& one : tolerance) one *= kGrowth * rounded.growth();
        Expected few = exact_at(rounded.problem(), pass_, sample);
        if (not_finite_ > 0) {
          for (double& value : few.values) value = std::isfinite(value) ? value : 0;
        }
        if (!fits(some_values, few.values, tolerance, reading.storage)) return std::nullopt;
        Target target = target_of(reading.rounds_inputs ? exact(rounded.problem(), pass_) : right_.expected);
        target.tolerance = right_.tolerance;
        for (double& one : target.tolerance) one *= kGrowth * rounded.growth();
        if (!fits(values_, target.expected.values, target.tolerance, reading.storage)) return std::nullopt;
        if (!is_sure || is_accident(target, reading, tried)) {
          if (!doubt_) doubt_ = Doubt{.reading = reading};
          return std::nullopt;
        }
        const auto structure = structure_of(values_, target.expected.values, right_.scale, parameter(),
                                            target.expected.terms, !reading.storage.empty());
        if (structure.kind != Structure::Kind::none) {
          suspicion_ = structure;
          return std::nullopt;
        }
        Verdict matches = verdict_of(Judgement::matches);
        matches.format = reading.name();
        matches.reason = rounding_words(pass_, reading.rounding, reading.storage, reading.rounds_inputs);
        return matches;
      });
}

std::optional<Verdict> Judge::mistakes_in_formats() {
  if (doubt_) return std::nullopt;
  return for_each_reading(
      [&](const RoundedProblem& rounded, const Reading& reading, bool is_sure, int) -> std::optional<Verdict> {
        if (!is_sure) return std::nullopt;
        if (!reading.rounds_inputs) {
          if (auto scaled = as_named_factor(reading.storage)) return scaled;
        }
        return as_mistake(rounded.problem(), reading, false);
      });
}

std::optional<Verdict> Judge::as_doubtful() const {
  Verdict doubtful = verdict_of(Judgement::cannot_tell);
  doubtful.format = doubt_->reading.name();
  doubtful.reason = "the values fit " + doubtful.format + ", but too few of them differ enough to be sure";
  describe_difference(doubtful, right_, {});
  return doubtful;
}

std::optional<Verdict> Judge::as_long_sum() const {
  const std::int64_t terms = right_.expected.terms;
  if (few_ && mixes_cells(problem_, pass_, kFew)) {
    const auto tolerance = tolerance_of(right_.scale, Bound::tiled, terms);
    if (fits(values_, right_.expected.values, tolerance, {}) && suspicion_.kind == Structure::Kind::none) {
      Verdict beyond = verdict_of(Judgement::cannot_tell);
      beyond.reason = "the error is larger than that of one float32 sum, but Winograd could make it";
      describe_difference(beyond, right_, {});
      return beyond;
    }
  }
  if (units_of(Bound::unlimited, terms) <= units_of(Bound::plain_sum, terms)) return std::nullopt;
  const Inputs& in = problem_.in;
  const std::int64_t distinct = pass_ == Pass::forward         ? std::min(distinct_operands(in.x), distinct_operands(in.w))
                                : pass_ == Pass::backward_data ? std::min(distinct_operands(in.dy), distinct_operands(in.w))
                                : pass_ == Pass::backward_weights
                                    ? std::min(distinct_operands(in.x), distinct_operands(in.dy))
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
  if (distinct_count(right_.expected.values) < 2 || suspicion_.kind == Structure::Kind::parameter) return std::nullopt;
  const double factor = best_factor(right_);
  if (factor == 0) return std::nullopt;
  for (const PossibleStorage& possible : storages_) {
    if (!possible.is_sure || !fits_scaled(right_, factor, possible.storage)) continue;
    // A coarse storage fits many factors.
    if (!possible.storage.empty() && is_accident(right_, {.storage = possible.storage}, 1)) continue;
    Verdict scaled = verdict_of(Judgement::scaled);
    scaled.factor = factor;
    scaled.format = Reading{.storage = possible.storage}.name();
    describe_difference(scaled, right_, possible.storage);
    return scaled;
  }
  return std::nullopt;
}

std::optional<Verdict> Judge::as_added(std::span<const float> added, bool is_parameter) const {
  if (added.empty() || values_.size() < 2) return std::nullopt;
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
    if (!is_nearer(values_, target.expected, right_.expected)) continue;
    Verdict too_much = verdict_of(is_parameter ? Judgement::mistake : Judgement::differs);
    too_much.format = Reading{.storage = possible.storage}.name();
    if (is_parameter) {
      too_much.names = {pass_ == Pass::backward_data ? "input_added" : "weight_decay"};
      too_much.factor = amount;
    } else {
      too_much.relation = "the right values " + std::string(amount < 0 ? "minus " : "plus ") + number_text(std::abs(amount));
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
    const RoundedProblem rounded(problem_, pass_, {half, half});
    const Target target = target_of(exact(rounded.problem(), pass_));
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
    const bool is_refused = values_.size() > 3 && (fits_scaled(target, factor, {half}) ||
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
    const RoundedProblem rounded(problem_, pass_, {possible.storage.front(), possible.storage.front()});
    Target target = target_of(exact(rounded.problem(), pass_));
    if (const std::int64_t outside = outside_of(target, possible.storage); outside < fewest) {
      fewest = outside;
      storage = possible.storage;
      rounded_target = std::move(target);
      base = &rounded_target;
    }
  }
  Verdict different = verdict_of(Judgement::differs);
  different.format = Reading{.storage = storage}.name();
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
    different.where = "one cell, whose error is far larger than that of the others";
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
  different.relation = relation_of(problem_, pass_, values_, base->expected.values, base->tolerance, differs);
  return different;
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
