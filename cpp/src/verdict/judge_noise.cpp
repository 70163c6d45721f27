#include <algorithm>
#include <cmath>

#include "verdict/judge.hpp"
#include "verdict/words.hpp"

namespace conv2d_check {
namespace {

/// Standard deviations of the noise of a cell that are allowed; a sum of few terms cannot reach them.
constexpr double kDeviations = 6;
/// Noise may be at most this part of the values.
constexpr double kMostNoise = 1.0 / 16;
/// Fewer decimals may have been typed.
constexpr int kPrintedDecimals = 3;

/// Root mean square of what printing changed each element by: half a unit of the last digit, spread evenly.
std::vector<float> changes_of(std::span<const float> values, const Format& format) {
  std::vector<float> changes;
  for (const float value : values) {
    const double size = std::abs(static_cast<double>(value));
    double step = std::pow(10.0, -format.count);
    if (format.kind == FormatKind::digits)
      step = size > 0 ? std::pow(10.0, 1 - format.count + std::floor(std::log10(size))) : 0;
    changes.push_back(static_cast<float>(step / std::sqrt(12.0)));
  }
  return changes;
}

}  // namespace

/// Operands with a few decimals were printed: the result belongs to those before.
bool Judge::take_noise() {
  const Inputs& in = problem_.in;
  const std::span<const float> first = pass_ == Pass::forward ? in.x : in.dy;
  const bool has_weights = problem_.layer == Layer::conv;
  const std::span<const float> second = !has_weights || pass_ == Pass::backward_bias ? std::span<const float>{}
                                        : pass_ == Pass::backward_weights            ? in.x
                                                                                     : in.w;
  std::vector<float> of_first, of_second, of_bias;
  const auto take = [&](std::span<const float> values, std::vector<float>& changes) {
    const auto format = values.empty() ? std::nullopt : printed_format(values);
    if (!format) return;
    changes = changes_of(values, *format);
    if (noise_format_.kind == FormatKind::exact || format->count < noise_format_.count) noise_format_ = *format;
  };
  take(first, of_first);
  take(second, of_second);
  if (pass_ == Pass::forward && has_weights && !(of_first.empty() && of_second.empty()) && !in.b.empty())
    of_bias = changes_of(in.b, noise_format_);
  if (of_first.empty() && of_second.empty()) return false;
  noise_ = spread_of(problem_, pass_, of_first, of_second, of_bias);
  const double deviations = std::min(kDeviations, std::sqrt(6.0 * static_cast<double>(right_.expected.terms)));
  for (double& one : noise_) one *= deviations;
  if (!(rms(noise_) < kMostNoise * rms(right_.expected.values))) {
    noise_.clear();
    return false;
  }
  for (std::size_t i = 0; i < noise_.size(); ++i) right_.tolerance[i] += noise_[i];
  return true;
}

std::optional<Verdict> Judge::with_noise() {
  if (not_finite_ > 0 || !take_noise()) return std::nullopt;
  for (const PossibleStorage& possible : storages_) {
    if (!fits(values_, right_.expected.values, right_.tolerance, possible.storage)) continue;
    const auto structure =
        structure_of(values_, right_.expected.values, right_.scale, parameter(), right_.expected.terms, true);
    if (structure.kind != Structure::Kind::none) continue;
    if (is_doubted(large_errors(right_, possible.storage, structure), {.storage = possible.storage}, right_)) continue;
    const bool is_sure = noise_format_.count >= kPrintedDecimals;
    Verdict noisy = verdict_of(is_sure ? Judgement::matches : Judgement::cannot_tell);
    noisy.format = name_of(noise_format_);
    noisy.reason =
        is_sure ? "the operands are printed with " + noisy.format
                : "the values fit operands that were printed with " + noisy.format + ", which hides small mistakes";
    doubt_.reset();
    return noisy;
  }
  for (const PossibleStorage& possible : storages_) {
    if (!possible.is_sure) continue;
    if (auto scaled = as_named_factor(possible.storage)) return scaled;
    if (auto mistake = as_mistake(problem_, {.storage = possible.storage}, singles_)) return mistake;
  }
  return std::nullopt;
}

}  // namespace conv2d_check
