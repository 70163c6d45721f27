#include <cmath>

#include "gradient_check/loss_entry.hpp"

namespace conv2d {
namespace {

template <class T>
T term(T d) noexcept {
  return d * d;
}

double slope(double d) noexcept { return 2 * d; }

double rounding(const LossStep& step) noexcept {
  const auto& [above, below, error, half] = step;
  return 2 * error * (std::abs(above) + std::abs(below)) + 3 * kUnitOfDouble * (above * above + below * below);
}

}  // namespace

extern constexpr LossEntry kMse{.loss = Loss::mse,
                                .name = "mse",
                                .term_float = term<float>,
                                .term_double = term<double>,
                                .slope = slope,
                                .divisor = 2};
extern constexpr LossChecks kMseChecks{.curvature = 2, .rounding = rounding};

}  // namespace conv2d
