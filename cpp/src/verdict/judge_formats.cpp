#include "verdict/judge.hpp"

#include <algorithm>
#include <cmath>
#include <set>

#include "verdict/words.hpp"

namespace conv2d_check {
namespace {

constexpr double kCoarse = 1.0 / 16;  ///< of the rms of the values: a wider interval shows nothing
constexpr double kChance = 1e-3;      ///< of an accident that is not believed
constexpr std::int64_t kSample = 48;
/// Distinct values that a format changes before it is believed: one can be an accident.
constexpr std::int64_t kDeciding = 2;
/// The least error of a wrong result that matters here, as a part of the values.
constexpr double kVisible = 1.0 / 64;

struct FormatModes {
  FormatKind kind;
  std::vector<Mode> modes;
};

/// The formats of operands. bfloat16 and TF32 are rounded or cut off, as the hardware has it.
std::span<const FormatModes> formats() {
  static const FormatModes kFormats[] = {
      {.kind = FormatKind::exact, .modes = {Mode::even}},
      {.kind = FormatKind::bfloat16, .modes = {Mode::even, Mode::zero}},
      {.kind = FormatKind::float16, .modes = {Mode::even}},
      {.kind = FormatKind::tf32, .modes = {Mode::even, Mode::away, Mode::zero}},
  };
  return kFormats;
}

std::vector<double> chosen(const std::vector<double>& values, std::span<const std::int64_t> cells) {
  std::vector<double> some;
  for (const std::int64_t cell : cells) some.push_back(values[static_cast<std::size_t>(cell)]);
  return some;
}

std::vector<std::int64_t> sample_cells(std::int64_t cells) {
  const std::int64_t count = std::min(cells, kSample);
  std::vector<std::int64_t> sample;
  sample.reserve(static_cast<std::size_t>(count));
  for (std::int64_t i = 0; i < count; ++i) sample.push_back(count == cells ? i : (cells - 1) * i / (count - 1));
  return sample;
}

/// Both operands, the first, the second; in y with the bias as it was, too.
std::vector<InputRounding> roundings_of(const Problem& problem, Pass pass, const Format& format) {
  if (format.kind == FormatKind::exact) return {{}};
  std::vector<InputRounding> roundings{{format, format}};
  if (problem.layer != Layer::conv || pass == Pass::backward_bias) return roundings;
  roundings.push_back({format, {}});
  roundings.push_back({{}, format});
  if (pass == Pass::forward && !problem.in.b.empty()) {
    roundings.push_back({.first = format, .second = format, .rounds_bias = false});
    roundings.push_back({.first = {}, .second = format, .rounds_bias = false});
  }
  return roundings;
}

}  // namespace

std::string Precision::name() const {
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

bool Judge::is_accident(const Target& target, const Precision& precision, int tried) const {
  const auto& right = target.expected.values;
  std::vector<double> half(right.size());
  for (std::size_t i = 0; i < right.size(); ++i) {
    const Interval interval = allowed(right[i], target.tolerance[i], precision.storage);
    half[i] = std::max(interval.last - right[i], right[i] - interval.first);
  }
  const double width = rms(half);
  if (!(width < kCoarse * rms(right))) return true;
  const std::int64_t distinct = distinct_count(right_.expected.values);
  const bool is_rounded = precision.rounds_inputs;
  const Format& first = precision.rounding.first;
  const bool is_whole = !precision.storage.empty() && first.kind == precision.rounding.second.kind &&
                        first.kind == precision.storage.front().kind && distinct > 2;
  const FormatKind kind = first.kind == FormatKind::exact ? precision.rounding.second.kind : first.kind;
  if (!is_rounded || is_whole || is_known({{.kind = kind}})) return false;
  // What a wrong result would be off by: all of it if it is stored coarsely, else what no factor explains.
  double yard = rms(right) / 64;
  if (precision.storage.empty() || !is_half(precision.storage.back().kind)) {
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
  const double chance = tried * std::pow(std::min(1.0, width / (yard + 1e-300)), static_cast<double>(distinct));
  return chance > kChance;
}

/// Distinct values that speak for a format: those that it changes. Whole numbers and products of short decimals are
/// numbers of many formats before anything stores them, and so are large float32 numbers of decimals. Cells of one
/// significand are rounded alike, and a wrong result that falls on the grid does so with all of them, so they count
/// once.
std::int64_t Judge::deciding_values(const Target& target, const Precision& precision) const {
  const auto tolerance = tolerance_of(right_.scale, Bound::plain_sum, right_.expected.terms);
  const auto &right = right_.expected.values, &rounded = target.expected.values;
  const FormatKind kind = precision.storage.empty() ? FormatKind::exact : precision.storage.front().kind;
  std::set<std::int64_t> distinct;
  for (std::size_t i = 0; i < right.size() && std::ssize(distinct) < kDeciding; ++i) {
    double stored = rounded[i];
    for (const Format& format : precision.storage) stored = round_to(stored, format);
    // float32 numbers of the format are up to 2 units away from the numbers of the format.
    const bool is_changed = std::abs(stored - rounded[i]) > 4 * kUnit * std::abs(rounded[i]);
    if (!is_changed && std::abs(rounded[i] - right[i]) <= tolerance[i]) continue;
    distinct.insert(kind == FormatKind::decimals ? std::llround(std::abs(right[i]) * 1e9)
                                                 : significand_of(right[i], kind));
  }
  return std::ssize(distinct);
}

/// Whether too few values speak for a format, unless another result of the file does. A wrong result that is off by
/// kVisible lies where the format has the right one with the chance p = width / (kVisible |r|), for each deciding value
/// anew; with p^n of `tried` formats below kChance it is believed. With kDeciding values it always is.
bool Judge::is_thin(const Target& target, const Precision& precision, int tried) const {
  const Format& first = precision.rounding.first;
  const FormatKind of_inputs = first.kind == FormatKind::exact ? precision.rounding.second.kind : first.kind;
  if (is_known(precision.storage) || (precision.rounds_inputs && is_known({{.kind = of_inputs}}))) return false;
  const std::int64_t deciding = deciding_values(target, precision);
  if (deciding >= kDeciding) return false;
  const auto& right = target.expected.values;
  std::vector<double> half(right.size());
  for (std::size_t i = 0; i < right.size(); ++i) {
    const Interval interval = allowed(right[i], target.tolerance[i], precision.storage);
    half[i] = std::max(interval.last - right[i], right[i] - interval.first);
  }
  const double chance = std::min(1.0, rms(half) / (kVisible * rms(right) + 1e-300));
  return tried * std::pow(chance, static_cast<double>(deciding)) > kChance;
}

const Expected& Judge::rounded_result(const InputRounding& rounding) const {
  const auto known = std::ranges::find(rounded_results_, rounding, &std::pair<InputRounding, Expected>::first);
  if (known != rounded_results_.end()) return known->second;
  const RoundedProblem rounded(problem_, pass_, rounding);
  return rounded_results_.emplace_back(rounding, exact(rounded.problem(), pass_)).second;
}

bool Judge::is_known(const Storage& storage) const {
  return !storage.empty() && std::ranges::find(options_.formats, name_of(storage.back())) != options_.formats.end();
}

std::vector<Judge::TriedPrecision> Judge::tried_precisions() const {
  std::vector<TriedPrecision> all;
  for (const FormatModes& format : formats()) {
    const bool is_rounded = format.kind != FormatKind::exact;
    for (const Mode mode : format.modes) {
      for (const InputRounding& rounding : roundings_of(problem_, pass_, {.kind = format.kind, .mode = mode})) {
        const auto rounded = std::make_shared<const RoundedProblem>(problem_, pass_, rounding);
        if (is_rounded && !rounded->changes()) continue;
        for (const PossibleStorage& possible : storages_) {
          if (!is_rounded && possible.storage.empty()) continue;
          const bool is_other_half = is_rounded && !possible.storage.empty() &&
                                     is_half(possible.storage.front().kind) &&
                                     possible.storage.front().kind != format.kind;
          if (is_other_half) continue;
          all.push_back({.problem = rounded,
                         .precision = {.rounding = rounding, .storage = possible.storage, .rounds_inputs = is_rounded},
                         .is_sure = possible.is_sure || is_known(possible.storage)});
        }
      }
    }
  }
  return all;
}

std::optional<Verdict> Judge::in_formats() {
  const auto sample = sample_cells(std::ssize(values_));
  const auto some_values = chosen(values_, sample), some_tolerance = chosen(right_.tolerance, sample);
  int tried = 0;
  for (const auto& [rounded, precision, is_sure] : precisions_) {
    ++tried;
    const double growth = kGrowth * rounded->growth();
    std::vector<double> tolerance = some_tolerance;
    for (double& one : tolerance) one *= growth;
    Expected few = exact_at(rounded->problem(), pass_, sample);
    if (not_finite_ > 0) {
      for (double& value : few.values) value = std::isfinite(value) ? value : 0;
    }
    if (!fits(some_values, few.values, tolerance, precision.storage)) continue;
    Target target = target_of(precision.rounds_inputs ? rounded_result(precision.rounding) : right_.expected);
    target.tolerance = right_.tolerance;
    for (double& one : target.tolerance) one *= growth;
    if (!fits(values_, target.expected.values, target.tolerance, precision.storage)) continue;
    if (!is_sure || is_accident(target, precision, tried) || is_thin(target, precision, tried)) {
      doubt(precision, "the values fit " + precision.name() + ", but too few of them differ enough to be sure", right_,
            {});
      continue;
    }
    const auto structure = structure_of(values_, target.expected.values,
                                        scale_with_steps(right_.scale, target.expected.values, precision.storage),
                                        parameter(), target.expected.terms, !precision.storage.empty());
    if (structure.kind != Structure::Kind::none) {
      suspicion_ = structure;
      no_tiles_ = true;
      continue;
    }
    const LargeErrors large = large_errors(target, precision.storage, structure);
    if (is_doubted(large, precision, target)) continue;
    Verdict matches = verdict_of(Judgement::matches);
    matches.format = precision.name();
    matches.reason = rounding_words(pass_, precision.rounding, precision.storage, precision.rounds_inputs);
    if (large.cells == 0) return matches;
    if (!as_tiles_) as_tiles_ = matches;
  }
  if (!no_tiles_) return as_tiles_;
  if (as_tiles_ && !doubt_) {
    doubt_ = verdict_of(Judgement::cannot_tell);
    doubt_->format = as_tiles_->format;
    doubt_->reason = "only tiles of Winograd could make these errors, and they do not look like it";
  }
  return std::nullopt;
}

std::optional<Verdict> Judge::mistakes_in_formats() {
  if (doubt_) return std::nullopt;
  for (const auto& [rounded, precision, is_sure] : precisions_) {
    if (!is_sure) continue;
    if (!precision.rounds_inputs) {
      if (auto scaled = as_named_factor(precision.storage)) return scaled;
    }
    if (auto mistake = as_mistake(rounded->problem(), precision, singles_)) return mistake;
  }
  return std::nullopt;
}

}  // namespace conv2d_check
