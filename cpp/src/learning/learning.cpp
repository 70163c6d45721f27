#include "conv2d_teach/learning.hpp"

#include <cmath>
#include <cstddef>
#include <limits>

#include "base/errors.hpp"
#include "dcheck/dcheck.hpp"

namespace conv2d {
namespace {

template <class A, class B>
double dot(Parts<A> a, Parts<B> b) noexcept {
  double sum = 0;
  for (std::size_t t = 0; t < a.first.size(); ++t) {
    sum += static_cast<double>(a.first[t]) * static_cast<double>(b.first[t]);
  }
  for (std::size_t t = 0; t < a.second.size(); ++t) {
    sum += static_cast<double>(a.second[t]) * static_cast<double>(b.second[t]);
  }
  return sum;
}

void divide(std::span<const float> from, double by, std::span<float> to) noexcept {
  for (std::size_t t = 0; t < to.size(); ++t) to[t] = static_cast<float>(static_cast<double>(from[t]) / by);
}

}  // namespace

Status sgd_step(std::span<float> values, std::span<const float> gradient, double rate) noexcept {
  if (values.size() != gradient.size()) {
    return length_mismatch("gradient", gradient.size(), static_cast<std::int64_t>(values.size()));
  }
  for (std::size_t t = 0; t < values.size(); ++t) {
    values[t] = static_cast<float>(static_cast<double>(values[t]) - rate * static_cast<double>(gradient[t]));
  }
  return {};
}

double power_iteration_step(Parts<float> direction, Parts<const float> product) noexcept {
  CONV2D_DCHECK(direction.first.size() == product.first.size() && direction.second.size() == product.second.size());
  const double quotient = dot(direction, product) / dot(direction, direction);
  const double length = std::sqrt(dot(product, product));
  if (length > 0) {
    divide(product.first, length, direction.first);
    divide(product.second, length, direction.second);
  }
  return quotient;
}

StepSize step_size(double curvature, double rate) noexcept {
  return {.largest_rate = curvature > 0 ? 2 / curvature : std::numeric_limits<double>::infinity(),
          .factor = 1 - rate * curvature};
}

}  // namespace conv2d
