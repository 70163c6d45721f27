#include <algorithm>
#include <cmath>
#include <numbers>

#include "gradient_check/loss_entry.hpp"

namespace conv2d {
namespace {

/// A sixth of the largest third derivative of log(cosh): 4 / (3 sqrt(3)) / 6.
constexpr double kSixthOfThird = 0.1284;

/// log(cosh(d)) without overflow. Uses expm1, which tanh needs anyway: exp would add an incompressible table of 2 kB to
/// the download. So would the float versions of these functions.
template <class T>
T term(T d) noexcept {
  const T magnitude = std::abs(d);
  const auto twice = static_cast<double>(T(-2) * magnitude);
  return magnitude + static_cast<T>(std::log1p(std::expm1(twice) + 1)) - std::numbers::ln2_v<T>;
}

double slope(double d) noexcept { return std::tanh(d); }

double rounding(const LossStep& step) noexcept {
  return 2 * step.error + 4 * kUnitOfDouble * (std::abs(step.above) + std::abs(step.below) + 2);
}

/// The slope of the chord and that at v are between the slopes at the ends.
double truncation(const LossStep& step) noexcept {
  const double range = std::abs(std::tanh(step.above) - std::tanh(step.below));
  return std::min(range, kSixthOfThird * step.half * step.half);
}

}  // namespace

extern constexpr LossEntry kLogCosh{
    .loss = Loss::log_cosh, .name = "log_cosh", .term_float = term<float>, .term_double = term<double>, .slope = slope};
extern constexpr LossChecks kLogCoshChecks{.curvature = 1, .rounding = rounding, .truncation = truncation};

}  // namespace conv2d
