#pragma once

#include <algorithm>
#include <array>
#include <bit>

#include "cost/constants.hpp"

namespace conv2d::cost {

/// Whether a table has every coefficient. A missing one is 0, and its step would count as free.
constexpr bool complete(const Constants& table) noexcept {
  const auto coefficients = std::bit_cast<std::array<double, sizeof(Constants) / sizeof(double)>>(table);
  return std::all_of(coefficients.begin(), coefficients.end(), [](double coefficient) { return coefficient > 0; });
}

}  // namespace conv2d::cost
