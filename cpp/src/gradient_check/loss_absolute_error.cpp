#include <cmath>

#include "gradient_check/loss_entry.hpp"

namespace conv2d {
namespace {

template <class T>
T term(T d) noexcept {
  return std::abs(d);
}

/// 0 at 0 and NaN of NaN, as in PyTorch.
double slope(double d) noexcept { return d == 0 || std::isnan(d) ? d : std::copysign(1.0, d); }

double rounding(const LossStep& step) noexcept {
  return 2 * step.error + kUnitOfDouble * (std::abs(step.above) + std::abs(step.below));
}

}  // namespace

extern constexpr LossEntry kAbsoluteError{.loss = Loss::absolute_error,
                                          .name = "absolute_error",
                                          .term_float = term<float>,
                                          .term_double = term<double>,
                                          .slope = slope};
extern constexpr LossChecks kAbsoluteErrorChecks{.rounding = rounding, .has_kink = true};

}  // namespace conv2d
