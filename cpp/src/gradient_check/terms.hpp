#pragma once

#include <cstddef>

#include "gradient_check/loss_entry.hpp"

/// The terms of a loss.
namespace conv2d {

/// The term of one element of y in a loss, before the loss's division. `other` is the element of dy or target, and
/// `entry` null for Loss::linear.
template <class T>
T loss_term(const LossEntry* entry, T y, T other) noexcept {
  return entry ? entry->term<T>(y - other) : y * other;
}

/// The loss, from the sum of its terms over `count` elements.
template <class T>
T loss_of_sum(const LossEntry* entry, T sum, std::size_t count) noexcept {
  if (!entry || count == 0) return sum;
  return sum / static_cast<T>(static_cast<std::size_t>(entry->divisor) * count);
}

/// The derivatives of a term by y, before the loss's division.
struct LossSlope {
  double slope = 0;
  double curvature = 0;  ///< its largest value
};

inline LossSlope loss_slope(const LossEntry* entry, double y, double other) noexcept {
  if (!entry) return {.slope = other};
  return {.slope = entry->slope(y - other), .curvature = loss_checks_of(entry->loss).curvature};
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
