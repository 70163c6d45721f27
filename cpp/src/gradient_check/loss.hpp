#pragma once

#include <cmath>
#include <cstddef>
#include <numbers>

#include "conv2d_teach/gradient_check.hpp"

namespace conv2d {

/// A libm function in double, rounded to T. The float versions are avoided: they would add to the first download.
template <class T>
T rounded(double (*function)(double), T value) noexcept {
  return static_cast<T>(function(static_cast<double>(value)));
}

/// The term of one element of y in the loss, before the loss's division. `other` is the element of dy or target.
template <class T>
T loss_term(Loss loss, T y, T other) noexcept {
  if (loss == Loss::linear) return y * other;
  const T error = y - other;
  if (loss == Loss::mse) return error * error;
  // log(cosh(e)) without overflow. Uses expm1, which tanh needs anyway: exp would add an incompressible table of 2 kB
  // to the download.
  const T magnitude = std::abs(error);
  const auto softened = [](double twice) { return std::log1p(std::expm1(twice) + 1); };
  return magnitude + rounded(softened, T(-2) * magnitude) - std::numbers::ln2_v<T>;
}

/// The loss, from the sum of its terms over `count` elements.
template <class T>
T loss_of_sum(Loss loss, T sum, std::size_t count) noexcept {
  if (loss == Loss::linear || count == 0) return sum;
  return sum / static_cast<T>(loss == Loss::mse ? 2 * count : count);
}

/// Pairwise sum of term(begin) ... term(end - 1): the rounding error grows with the logarithm of the count, as in deep-
/// learning frameworks, and not with the count.
template <class T, class Term>
T pairwise_sum(std::size_t begin, std::size_t end, const Term& term) noexcept {
  constexpr std::size_t kLanes = 8;  // independent chains of additions, to hide their latency
  constexpr std::size_t kLeaf = 16 * kLanes;
  if (end - begin > kLeaf) {
    const std::size_t middle = begin + (end - begin) / 2;
    return pairwise_sum<T>(begin, middle, term) + pairwise_sum<T>(middle, end, term);
  }
  T lanes[kLanes] = {};
  std::size_t t = begin;
  for (; t + kLanes <= end; t += kLanes) {
    for (std::size_t lane = 0; lane < kLanes; ++lane) lanes[lane] += term(t + lane);
  }
  for (std::size_t lane = 0; t < end; ++t, ++lane) lanes[lane] += term(t);
  return ((lanes[0] + lanes[1]) + (lanes[2] + lanes[3])) + ((lanes[4] + lanes[5]) + (lanes[6] + lanes[7]));
}

}  // namespace conv2d
