#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

#include "losses/loss_tables.hpp"

namespace conv2d::losses {

/// The mean over positions of -sum(target * log(softmax(y))), where both sums are over the channels.
struct CrossEntropy : PositionDefaults {
  static constexpr std::string_view kName = "cross_entropy";
  static constexpr const char* kTarget = "a distribution: values of at least 0 that sum to 1";

  static bool accepts(const Channels& target) noexcept {
    constexpr double kSlack = 1e-3;  // accepts 0.333, 0.333, 0.333
    double sum = 0, least = 0;
    for (std::size_t c = 0; c < target.count(); ++c) {
      sum += target[c];
      least = std::min(least, target[c]);
    }
    return least == 0 && std::abs(sum - 1) <= kSlack;  // false with NaN
  }

  static PositionSums sums(const Channels& y, const Channels& target) noexcept {
    std::size_t first = 0;
    PositionSums sums{.largest = -std::numeric_limits<double>::infinity()};
    for (std::size_t c = 0; c < y.count(); ++c) {
      if (y[c] > sums.largest) sums.largest = y[c], first = c;
    }
    sums.others = sums.largest - sums.largest;  // 0; NaN of an infinity
    for (std::size_t c = 0; c < y.count(); ++c) {
      if (c != first) sums.others += exponential(y[c] - sums.largest);
      sums.target += target[c];
    }
    sums.log_total = std::log1p(sums.others);
    return sums;
  }

  /// -target * log(p), 0 without a target.
  static double term_at(const PositionSums& sums, double y, double target) noexcept {
    return target == 0 ? 0 : target * (sums.largest - y + sums.log_total);
  }

  /// p * sum(target) - target: the derivative also where the targets are rounded. Nothing cancels at the largest y,
  /// where p is near 1.
  static double slope_at(const PositionSums& sums, double y, double target) noexcept {
    const double total = 1 + sums.others;
    if (y == sums.largest) return (sums.target - target - target * sums.others) / total;
    return exponential(y - sums.largest) * sums.target / total - target;
  }

  static PositionCell cell(const PositionSums& sums, double y) noexcept {
    const double power = exponential(y - sums.largest), total = 1 + sums.others;
    return {.largest = sums.largest, .power = power, .total = total, .share = power / total};
  }

  static double curvature_at(const PositionSums& sums, double y) noexcept {
    return 2 * sums.target * cell(sums, y).share;
  }

  static PositionBounds bounds(const PositionStep& step) noexcept {
    const Channels &below = step.below, &at = step.at, &above = step.above;
    const PositionSums sums_below = sums(below, step.target), sums_at = sums(at, step.target),
                       sums_above = sums(above, step.target);
    PositionBounds bounds;
    double size = sums_below.log_total + sums_above.log_total + 2;
    double largest = -std::numeric_limits<double>::infinity(), least = -largest;  // slopes of y
    double range = 0;                                                             // of the slope of the loss
    double most = 0;                                                              // magnitude of y
    for (std::size_t c = 0; c < at.count(); ++c) most = std::max(most, step.magnitude[c]);
    for (std::size_t c = 0; c < at.count(); ++c) {
      const double target = step.target[c];
      const double term_below = term_at(sums_below, below[c], target),
                   term_above = term_at(sums_above, above[c], target);
      bounds.change += term_above - term_below;
      size += term_above + term_below;
      const double slope = (above[c] - below[c]) / step.width;
      largest = std::max(largest, slope);
      least = std::min(least, slope);
      const double slope_below = slope_at(sums_below, below[c], target);
      const double slope_above = slope_at(sums_above, above[c], target);
      range += slope * (slope_above - slope_below);
      if (slope == 0) continue;
      const double error = step.error * step.magnitude[c];
      bounds.rounding += error * (std::abs(slope_below) + std::abs(slope_above) + error);
      const double share = curvature_at(sums_at, at[c]) / 2;
      bounds.products += std::abs(slope) * (share + target + 2 * share * step.precision * most);
    }
    const double spread = largest - least;
    bounds.rounding += (static_cast<double>(at.count()) + 8) * kUnitOfDouble * size;
    // The second and third derivatives of log(sum(exp)) are the variance and the third central moment of the slopes of
    // y: at most spread^2 / 4 and spread^3 / (6 sqrt(3)).
    constexpr double kSixthOfThird = 0.0161;
    bounds.truncation =
        sums_at.target * spread * spread * (step.shift / 4 + kSixthOfThird * spread * step.width * step.width / 4);
    bounds.truncation = std::min(bounds.truncation, std::abs(range) + spread * spread * step.shift);
    return bounds;
  }

 private:
  /// e^d for d <= 0. As log_cosh, without exp; and with all digits where expm1(d) + 1 would lose them.
  static double exponential(double d) noexcept { return 1 / (std::expm1(-d) + 1); }
};

}  // namespace conv2d::losses
