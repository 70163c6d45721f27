#pragma once

#include <span>

#include "conv2d/conv_desc.hpp"

/// Plain nested loops, as a baseline for the race: no blocking, no packing, no SIMD except the compiler's
/// auto-vectorization, sums in float. Compiled with the same options as the library.
namespace conv2d::race {

/// Which loop is the innermost.
enum class Order {
  formula,       ///< input channels, as in the formula; the compiler may not reorder the sum, so there is no SIMD
  filters_last,  ///< filters, which are contiguous in NHWC: the compiler vectorizes this loop
};

struct Inputs {
  std::span<const float> x, w, b, dy;
};

/// filters_last requires NHWC, where filters are contiguous.
constexpr bool supports(const Geometry& g, Order order) noexcept {
  return order == Order::formula || (g.layout == Layout::nhwc && g.weights_layout == WeightsLayout::hwio);
}

/// Writes y, dx, dw or db to `out`. Preconditions: spans have the geometry's lengths (b may be empty); supports().
void loops(const Geometry& g, Pass pass, Order order, const Inputs& in, std::span<float> out) noexcept;

/// out[t] = a[t] + factor * b[t], the triad of McCalpin's STREAM. It moves three floats per multiply-add, so long
/// arrays measure memory bandwidth. Precondition: all spans have the same length.
void triad(std::span<const float> a, std::span<const float> b, float factor, std::span<float> out) noexcept;

}  // namespace conv2d::race
