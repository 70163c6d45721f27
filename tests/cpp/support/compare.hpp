#pragma once

#include <span>
#include <string>

#include "support/oracle.hpp"

/// The comparators. Each returns an empty string when the values agree, else a sentence about the worst element; so
/// `CHECK(difference(...) == "")` prints what is wrong. A NaN agrees with nothing.
namespace conv2d::test {

/// |got - expected| <= absolute + relative * |expected|, for every element.
struct Tolerance {
  double absolute = 0;
  double relative = 0;
};

std::string difference(std::span<const float> got, std::span<const double> expected, const Tolerance& tolerance = {});
std::string difference(std::span<const double> got, std::span<const double> expected, const Tolerance& tolerance = {});
std::string difference(std::span<const float> got, std::span<const float> expected);

/// Whether both have the same bits: zeros of different signs do not agree, a NaN agrees with itself.
std::string difference_of_bits(std::span<const float> got, std::span<const float> expected);

/// The declared error of an algorithm: |got - exact| <= error_bound * 2^-24 * magnitude; a bound of 0 is the
/// reference's promise of the exact value rounded once.
std::string difference_beyond_bound(std::span<const float> got, const Exact& exact, double error_bound);

}  // namespace conv2d::test
