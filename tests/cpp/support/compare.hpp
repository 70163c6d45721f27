#pragma once

#include <span>

#include "support/failures.hpp"
#include "support/oracle.hpp"

/// The comparators: what is wrong with the worst element, or nothing. A NaN agrees with nothing. Tests have them as
/// matchers (matchers.hpp), which say more.
namespace conv2d::test {

/// |got - expected| <= absolute + relative * |expected|, for every element.
struct Tolerance {
  double absolute = 0;
  double relative = 0;
};

Failure difference(std::span<const float> got, std::span<const double> expected, const Tolerance& tolerance = {});
Failure difference(std::span<const double> got, std::span<const double> expected, const Tolerance& tolerance = {});
Failure difference(std::span<const float> got, std::span<const float> expected);

/// Whether both have the same bits: zeros of different signs do not agree, a NaN agrees with itself.
Failure difference_of_bits(std::span<const float> got, std::span<const float> expected);

/// The declared error of an algorithm: |got - exact| <= error_bound * 2^-24 * magnitude; a bound of 0 is the
/// reference's promise of the exact value rounded once.
Failure difference_beyond_bound(std::span<const float> got, const Exact& exact, double error_bound);

}  // namespace conv2d::test
