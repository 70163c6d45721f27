#include "verdict/judge.hpp"

#include <algorithm>
#include <cmath>

namespace conv2d_check {
namespace {

constexpr std::int64_t kSample = 48;
/// A loose tolerance for the first look, of what no format rounds more.
constexpr double kLoose = 0.02;
constexpr double kNearFactor = 0.03;

}  // namespace

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
    add(g.n, "the number of images, a mean over the batch");
    add(g.y_size, "the number of cells of y, a mean over y");
    add(g.n * g.oh * g.ow, "(n * oh * ow), a mean over all windows");
    add(g.oh * g.ow, "(oh * ow), a mean over the windows of an image");
    for (const double rate : {0.1, 0.01, 0.001, 1e-4, options.learning_rate}) {
      if (rate == 0 || rate == 1) continue;
      factors.push_back({rate, "a learning rate"});
      factors.push_back({-rate, "an update: minus a learning rate"});
    }
  } else if (problem.layer == Layer::conv) {
    add(g.kh * g.kw, "the taps of the kernel, a mean over the window");
    add(g.kh * g.kw * g.group_c, "the terms of a window, a mean over them");
  }
  return factors;
}

/// Half of the coarsest step in which the values may have been printed.
double Judge::coarsest_step() const {
  double step = 0;
  for (const PossibleStorage& possible : storages_) {
    if (!possible.storage.empty() && possible.storage.back().kind == FormatKind::decimals)
      step = std::max(step, 0.5 * std::pow(10.0, -possible.storage.back().count));
  }
  return step;
}

std::optional<Judge::Accused> Judge::accused(const Suspect& suspect, const Sample& sample) const {
  double product = 0, square = 0;
  for (std::size_t i = 0; i < sample.cells.size(); ++i) {
    product += values_[static_cast<std::size_t>(sample.cells[i])] * sample.expected.values[i];
    square += sample.expected.values[i] * sample.expected.values[i];
  }
  Accused found{.suspect = suspect};
  const double best = square > 0 ? product / square : 1;
  if (std::abs(best - 1) > kNearFactor) {
    const auto named = std::ranges::find_if(factors_, [&](const NamedFactor& factor) {
      return std::abs(best - factor.value) <= kNearFactor * std::abs(factor.value);
    });
    if (named == factors_.end()) return std::nullopt;
    found.factor = named->value;
    found.reason = named->reason;
  }
  const double mean = rms(sample.expected.norms), step = coarsest_step();
  for (std::size_t i = 0; i < sample.cells.size(); ++i) {
    const double value = sample.expected.values[i];
    const double wide = kLoose * std::abs(found.factor) * (sample.expected.norms[i] + std::abs(value) + mean) + step;
    if (!(std::abs(values_[static_cast<std::size_t>(sample.cells[i])] - found.factor * value) <= wide))
      return std::nullopt;
  }
  return found;
}

std::vector<Judge::Accused> Judge::shortlist(std::span<const Suspect> suspects) const {
  std::vector<Accused> list;
  for (const Suspect& suspect : suspects) {
    const Sample first = sample_of(suspect, problem_, pass_, kFirstCells, worst_cells_);
    if (first.cells.empty() || !accused(suspect, first)) continue;
    if (first.is_whole) {
      list.push_back(*accused(suspect, first));
      continue;
    }
    const Sample more = sample_of(suspect, problem_, pass_, kSample, worst_cells_);
    if (more.cells.empty()) continue;
    if (const auto found = accused(suspect, more)) list.push_back(*found);
  }
  // A mistake alone explains better than one with a factor.
  std::ranges::stable_sort(list, {}, [](const Accused& one) { return one.factor == 1 ? 0 : 1; });
  return list;
}

/// A look at the cells with the largest errors, before the whole result is computed: a program without an effect there
/// does not give the values. The scale of the others is not known, so a multiple of the largest is allowed.
bool Judge::explains_worst(const Accused& one, const Problem& problem, const Precision& precision) const {
  constexpr double kOtherScale = 4;
  if (not_finite_ > 0) return true;
  const Sample some = sample_of(one.suspect, problem, pass_, 1, worst_cells_);
  const double units = kOtherScale * units_of(bound_, some.expected.terms) * kUnit * kGrowth;
  const double largest = *std::ranges::max_element(right_.scale);
  for (std::size_t i = 0; i < some.cells.size(); ++i) {
    const auto cell = static_cast<std::size_t>(some.cells[i]);
    const double value = one.factor * some.expected.values[i];
    const double scale = some.expected.norms[i] + std::abs(some.expected.values[i]) + largest;
    const double wide =
        std::abs(one.factor) * (units * scale + (noise_.empty() ? 0 : noise_[cell])) + kUnit * std::abs(value);
    if (!is_in(values_[cell], allowed(value, wide, precision.storage))) return false;
  }
  return true;
}

bool Judge::is_given_by(const Accused& one, const Problem& problem, const Precision& precision,
                        std::size_t tried) const {
  if (!explains_worst(one, problem, precision)) return false;
  const Sample whole = whole_of(one.suspect, problem, pass_);
  if (whole.cells.empty()) return false;
  const bool is_pair = one.suspect.second.mistake >= 0;
  const auto& expected = whole.expected.values;
  const std::int64_t distinct = distinct_count(expected);
  if (one.factor != 1 && distinct < 3) return false;
  if (is_pair && distinct < 6) return false;
  std::vector<double> yours, right;
  for (const std::int64_t cell : whole.cells) {
    yours.push_back(values_[static_cast<std::size_t>(cell)]);
    right.push_back(right_.expected.values[static_cast<std::size_t>(cell)]);
  }
  std::vector<double> scaled = expected;
  for (double& value : scaled) value *= one.factor;
  if (!is_nearer(yours, scaled, right)) return false;
  if (!whole.is_whole) {
    // Not all neighbors are known: the scale is that of the right result and of the cell itself.
    const double units = units_of(bound_, whole.expected.terms) * kUnit * kGrowth;
    for (std::size_t i = 0; i < whole.cells.size(); ++i) {
      const double scale =
          std::hypot(whole.expected.norms[i], expected[i]) + right_.scale[static_cast<std::size_t>(whole.cells[i])];
      const double noise = noise_.empty() ? 0 : noise_[static_cast<std::size_t>(whole.cells[i])];
      const double wide = std::abs(one.factor) * (units * scale + noise);
      if (!is_in(yours[i], allowed(scaled[i], wide, precision.storage))) return false;
    }
    return true;
  }
  const Target target = target_of(whole.expected);
  if (!fits_scaled(target, one.factor, precision.storage)) return false;
  const bool is_stored = !precision.storage.empty();
  if ((is_stored || precision.rounds_inputs) && is_accident(target, precision, static_cast<int>(tried))) return false;
  const auto structure =
      structure_of(values_, scaled, target.scale, {}, target.expected.terms, is_stored || one.factor != 1);
  return structure.kind == Structure::Kind::none;
}

std::optional<Verdict> Judge::as_named_factor(const Storage& storage) const {
  // One value is a multiple of any other.
  if (distinct_count(right_.expected.values) < 2) return std::nullopt;
  const double best = best_factor(right_);
  for (const NamedFactor& factor : factors_) {
    if (std::abs(best - factor.value) > kNearFactor * std::abs(factor.value)) continue;
    if (!fits_scaled(right_, factor.value, storage)) continue;
    if (!storage.empty() && is_accident(right_, {.storage = storage}, 1)) continue;
    Verdict scaled = verdict_of(Judgement::scaled);
    scaled.factor = factor.value;
    scaled.factor_reason = factor.reason;
    scaled.format = Precision{.storage = storage}.name();
    for (const Accused& one : singles_) {
      const std::string name(name_of(problem_, one.suspect.first));
      if (one.factor == 1 && std::ranges::find(scaled.names, name) == scaled.names.end() &&
          is_given_by(one, problem_, {.storage = storage}, 1))
        scaled.names.push_back(name);
    }
    describe_difference(scaled, right_, storage);
    return scaled;
  }
  return std::nullopt;
}

std::optional<Verdict> Judge::as_mistake(const Problem& problem, const Precision& precision,
                                         std::span<const Accused> shortlist) const {
  Verdict mistake = verdict_of(Judgement::mistake);
  for (const Accused& one : shortlist) {
    if (!mistake.names.empty() && one.factor != mistake.factor) break;
    if (!is_given_by(one, problem, precision, shortlist.size())) continue;
    mistake.factor = one.factor;
    mistake.factor_reason = one.reason;
    const auto add = [&](const MistakeVariant& variant) {
      const std::string name(name_of(problem_, variant));
      if (std::ranges::find(mistake.names, name) != mistake.names.end()) return;
      mistake.names.push_back(name);
      mistake.reason += (mistake.reason.empty() ? "" : " ") + sentence_of(problem_, pass_, variant);
    };
    add(one.suspect.first);
    if (one.suspect.second.mistake < 0) continue;
    add(one.suspect.second);
    mistake.in_sequence = true;
    break;
  }
  if (mistake.names.empty()) return std::nullopt;
  mistake.format = precision.name();
  describe_difference(mistake, right_, precision.storage);
  return mistake;
}

}  // namespace conv2d_check
