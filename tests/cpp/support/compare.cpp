#include "support/compare.hpp"

#include <bit>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <limits>
#include <utility>
#include <vector>

namespace conv2d::test {

namespace {

std::string format(const char* pattern, auto... values) {
  char text[256];
  std::snprintf(text, sizeof text, pattern, values...);
  return text;
}

/// The error divided by the allowed error: <= 1 matches.
double excess(double got, double expected, double allowed) {
  if (got == expected) return 0;
  const double error = std::abs(got - expected);
  if (!std::isfinite(error)) return std::numeric_limits<double>::infinity();  // at any tolerance
  if (allowed == 0) return std::numeric_limits<double>::max();
  return error / allowed;
}

template <class T, class Allowed>
Failure worst(std::span<const T> got, std::span<const double> expected, Allowed&& allowed) {
  if (got.size() != expected.size()) {
    return format("%zu elements, expected %zu", got.size(), expected.size());
  }
  std::size_t wrong = 0, at = 0;
  double largest = 1;
  for (std::size_t i = 0; i < got.size(); ++i) {
    const double e = excess(got[i], expected[i], allowed(i));
    if (!(e > 1)) continue;
    ++wrong;
    // Among elements that must be exact, the one with the largest error is the worst.
    const bool worse =
        e > largest || (e == largest && std::abs(got[i] - expected[i]) > std::abs(got[at] - expected[at]));
    if (wrong == 1 || worse) {
      largest = e;
      at = i;
    }
  }
  if (wrong == 0) return {};
  return format("element %zu: got %.9g, expected %.9g, allowed error %.3g (%zu of %zu wrong)", at,
                static_cast<double>(got[at]), expected[at], allowed(at), wrong, got.size());
}

auto within(std::span<const double> expected, const Tolerance& tolerance) {
  return [=](std::size_t i) { return tolerance.absolute + tolerance.relative * std::abs(expected[i]); };
}

}  // namespace

Failure difference(std::span<const float> got, std::span<const double> expected, const Tolerance& tolerance) {
  return worst(got, expected, within(expected, tolerance));
}

Failure difference(std::span<const double> got, std::span<const double> expected, const Tolerance& tolerance) {
  return worst(got, expected, within(expected, tolerance));
}

Failure difference(std::span<const float> got, std::span<const float> expected) {
  const std::vector<double> wide(expected.begin(), expected.end());
  return worst(got, std::span<const double>(wide), [](std::size_t) { return 0.0; });
}

Failure difference_of_bits(std::span<const float> got, std::span<const float> expected) {
  if (got.size() != expected.size()) return format("%zu elements, expected %zu", got.size(), expected.size());
  for (std::size_t i = 0; i < got.size(); ++i) {
    const auto [a, b] = std::pair(std::bit_cast<std::uint32_t>(got[i]), std::bit_cast<std::uint32_t>(expected[i]));
    if (a != b) return format("element %zu: got the bits %08x, expected %08x", i, a, b);
  }
  return {};
}

Failure difference_beyond_bound(std::span<const float> got, const Exact& exact, double error_bound) {
  constexpr double kHalfUlp = 0x1p-24;
  return worst(got, std::span<const double>(exact.value), [&](std::size_t i) {
    // The double sums of the oracle are not exact for real data: 2^-50 of the magnitude covers them.
    const double scale = error_bound == 0 ? std::abs(exact.value[i]) : error_bound * exact.magnitude[i];
    return kHalfUlp * scale + 0x1p-50 * exact.magnitude[i];
  });
}

}  // namespace conv2d::test
