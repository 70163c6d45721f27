#pragma once

#include <algorithm>
#include <cmath>
#include <numbers>

#include "losses/loss_tables.hpp"

namespace conv2d::losses {

/// The mean of log(cosh(y - target)).
struct LogCosh : Defaults {
  static constexpr std::string_view kName = "log_cosh";
  static constexpr double kCurvature = 1;

  /// log(cosh(d)) without overflow. Uses expm1, which tanh needs anyway: exp would add an incompressible table of 2 kB
  /// to the download. So would the float versions of these functions.
  template <class T>
  static T term(T d) noexcept {
    const T magnitude = std::abs(d);
    const auto twice = static_cast<double>(T(-2) * magnitude);
    return magnitude + static_cast<T>(std::log1p(std::expm1(twice) + 1)) - std::numbers::ln2_v<T>;
  }

  static double slope(double d) noexcept { return std::tanh(d); }

  static double rounding(const LossStep& step) noexcept {
    return 2 * step.error + 4 * kUnitOfDouble * (std::abs(step.above) + std::abs(step.below) + 2);
  }

  /// The slope of the chord and that at v are between the slopes at the ends.
  static double truncation(const LossStep& step) noexcept {
    constexpr double kSixthOfThird = 0.1284;  // of the largest third derivative of log(cosh): 4 / (3 sqrt(3)) / 6
    const double range = std::abs(std::tanh(step.above) - std::tanh(step.below));
    return std::min(range, kSixthOfThird * step.half * step.half);
  }
};

}  // namespace conv2d::losses
