#pragma once

#include <cmath>

#include "losses/loss_tables.hpp"

namespace conv2d::losses {

/// Half the mean of (y - target)^2.
struct Mse : Defaults {
  static constexpr std::string_view kName = "mse";
  static constexpr int kDivisor = 2;
  static constexpr double kCurvature = 2;

  template <class T>
  static T term(T d) noexcept {
    return d * d;
  }

  static double slope(double d) noexcept { return 2 * d; }

  static double rounding(const LossStep& step) noexcept {
    const auto& [above, below, error, half] = step;
    return 2 * error * (std::abs(above) + std::abs(below)) + 3 * kUnitOfDouble * (above * above + below * below);
  }
};

}  // namespace conv2d::losses
