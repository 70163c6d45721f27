#pragma once

#include <cstddef>
#include <span>

#include "losses/loss_tables.hpp"

/// The terms of a loss.
namespace conv2d::losses {

/// The error of the first position with a target that the loss does not accept.
Status check_target(const Entry& entry, const Channels& target, std::size_t position) noexcept;
template <class T>
Status check_target(const Entry& entry, std::span<const T> target, const LossChannels& channels) noexcept {
  Status status;
  if (!entry.is_per_position()) return status;
  for (std::size_t i = 0; status.ok() && i < target.size() / channels.count; ++i) {
    status = check_target(entry, Channels(target, channels, i), i);
  }
  return status;
}

/// The term of one element of y in a loss per cell, before the loss's division. `other` is the element of dy or target.
template <class T>
T term_of(const Entry& entry, T y, T other) noexcept {
  return entry.is_linear() ? y * other : entry.term<T>(y - other);
}

/// The term of one position in a loss per position, before the loss's division.
double term_of(const Entry& entry, const Channels& y, const Channels& target) noexcept;

/// The number that the sum of all terms is divided by, for `count` elements of y.
inline std::size_t divisor_of(const Entry& entry, std::size_t count, const LossChannels& channels) noexcept {
  if (entry.is_linear()) return 1;
  return entry.is_per_position() ? count / channels.count : static_cast<std::size_t>(entry.divisor) * count;
}

/// The loss, from the sum of its terms.
template <class T>
T of_sum(T sum, std::size_t divisor) noexcept {
  return divisor == 0 ? sum : sum / static_cast<T>(divisor);
}

/// The derivatives of a term by y, before the loss's division.
struct Slope {
  double slope = 0;
  double curvature = 0;  ///< its largest value
};

/// Of a loss per cell.
inline Slope slope_of(const Entry& entry, double y, double other) noexcept {
  if (entry.is_linear()) return {.slope = other};
  return {.slope = entry.slope(y - other), .curvature = checks_of(entry).curvature};
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

}  // namespace conv2d::losses
