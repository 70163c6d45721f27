#pragma once

#include <span>

#include "conv2d/conv_desc.hpp"

/// What the library is raced against: convolutions as one writes them down. No blocking, no packing, no SIMD but what
/// the compiler finds, sums in float; compiled like the library's own loops.
namespace conv2d::race {

/// Which of the nested loops is the innermost.
enum class Order {
  formula,       ///< the channels of a sum, as the formula is read; the sum's order leaves a compiler no room for SIMD
  filters_last,  ///< the filters, which lie side by side in NHWC: a compiler makes SIMD of that
};

struct Inputs {
  std::span<const float> x, w, b, dy;
};

/// filters_last needs filters that lie side by side.
constexpr bool supports(const Geometry& g, Order order) noexcept {
  return order == Order::formula || g.layout == Layout::nhwc;
}

/// Writes y, dx, dw or db. Preconditions: spans of the geometry's lengths (b may be empty), supports().
void loops(const Geometry& g, Pass pass, Order order, const Inputs& in, std::span<float> out) noexcept;

}  // namespace conv2d::race
