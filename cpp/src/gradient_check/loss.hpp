#pragma once

#include <cmath>
#include <cstddef>
#include <numbers>

#include "conv2d/gradient_check.hpp"

namespace conv2d {

/// A function of libm rounded to T: those of float, which every visitor would download too, are not worth their bytes.
template <class T>
T rounded(double (*function)(double), T value) noexcept {
  return static_cast<T>(function(static_cast<double>(value)));
}

/// What one element of y adds to the loss, before the loss's division. `other` is its dy or its target.
template <class T>
T loss_term(Loss loss, T y, T other) noexcept {
  if (loss == Loss::linear) return y * other;
  const T error = y - other;
  if (loss == Loss::mse) return error * error;
  // log(cosh(e)), written so that no exponential overflows. By expm1, which tanh brings along: exp would come with a
  // table of 2 kB that no compression makes smaller.
  const T magnitude = std::abs(error);
  const auto softened = [](double twice) { return std::log1p(std::expm1(twice) + 1); };
  return magnitude + rounded(softened, T(-2) * magnitude) - std::numbers::ln2_v<T>;
}

/// The loss from the sum of its terms over `count` elements.
template <class T>
T loss_of_sum(Loss loss, T sum, std::size_t count) noexcept {
  if (loss == Loss::linear || count == 0) return sum;
  return sum / static_cast<T>(loss == Loss::mse ? 2 * count : count);
}

/// term(begin) + ... + term(end - 1), by halves: the rounding error grows with the logarithm of the count, as in the
/// sums of the frameworks, and not with the count.
template <class T, class Term>
T pairwise_sum(std::size_t begin, std::size_t end, const Term& term) noexcept {
  constexpr std::size_t kLanes = 8;  // independent chains: an addition need not wait for the one before
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
