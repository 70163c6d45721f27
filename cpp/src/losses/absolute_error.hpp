#pragma once

#include <cmath>

#include "losses/loss_tables.hpp"

namespace conv2d::losses {

/// The mean of |y - target|.
struct AbsoluteError : Defaults {
  static constexpr std::string_view kName = "absolute_error";
  static constexpr bool kHasKink = true;

  template <class T>
  static T term(T d) noexcept {
    return std::abs(d);
  }

  /// 0 at 0 and NaN of NaN, as in PyTorch.
  static double slope(double d) noexcept { return d == 0 || std::isnan(d) ? d : std::copysign(1.0, d); }

  static double rounding(const LossStep& step) noexcept {
    return 2 * step.error + kUnitOfDouble * (std::abs(step.above) + std::abs(step.below));
  }
};

}  // namespace conv2d::losses
