#pragma once

#include <algorithm>
#include <array>
#include <bit>

#include "cost/constants.hpp"

namespace conv2d::cost {

/// Whether a table has every price: what it leaves out is 0, and would be done for nothing.
constexpr bool complete(const Constants& table) noexcept {
  const auto prices = std::bit_cast<std::array<double, sizeof(Constants) / sizeof(double)>>(table);
  return std::all_of(prices.begin(), prices.end(), [](double price) { return price > 0; });
}

}  // namespace conv2d::cost
