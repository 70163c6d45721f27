#pragma once

#include <span>

#include "support/failures.hpp"
#include "support/oracle.hpp"

/// Comparators: each returns the failure of the worst element, or none. A NaN matches nothing. The matchers in
/// matchers.hpp wrap them and report more.
namespace conv2d::test {

/// |got - expected| <= absolute + relative * |expected|, for every element.
struct Tolerance {
  double absolute = 0;
  double relative = 0;
};

Failure difference(std::span<const float> got, std::span<const double> expected, const Tolerance& tolerance = {});
Failure difference(std::span<const double> got, std::span<const double> expected, const Tolerance& tolerance = {});
Failure difference(std::span<const float> got, std::span<const float> expected);

/// Compares bits: zeros of different signs differ, a NaN matches itself.
Failure difference_of_bits(std::span<const float> got, std::span<const float> expected);

/// The declared error bound of an algorithm: |got - exact| <= error_bound * 2^-24 * magnitude. A bound of 0 is that of
/// the reference: the exact value rounded once.
Failure difference_beyond_bound(std::span<const float> got, const Exact& exact, double error_bound);

}  // namespace conv2d::test
