#include <algorithm>
#include <array>
#include <bit>

#include "cost/constants.hpp"

namespace conv2d::cost {

extern constexpr Constants kZen3{};

/// kZen3 with the forks of a browser. Its choices are within 1.7 % of the best in Chromium 156 on a Zen 3 core
/// (geometric mean of 48 races).
extern constexpr Constants kWasmSimd = [] {
  Constants c;
  c.loops.fork_join = 180000;
  return c;
}();

/// kZen3 with the forks of a browser, and dw fitted to 14 races on a Xeon with AVX-512 (Sapphire Rapids). Its choices
/// are within 0.1 % of the best in Chromium 156 on a Zen 3 core (geometric mean of 48 races; before that fit).
extern constexpr Constants kWasmRelaxed = [] {
  Constants c;
  c.products.step_register = 0.53;
  c.outer_product.tile_register = 0.587;
  c.loops.fork_join = 180000;
  return c;
}();

namespace {

/// Whether every coefficient has a value. With 0, its step would count as free.
constexpr bool complete(const Constants& table) noexcept {
  const auto coefficients = std::bit_cast<std::array<double, sizeof(Constants) / sizeof(double)>>(table);
  return std::all_of(coefficients.begin(), coefficients.end(), [](double coefficient) { return coefficient > 0; });
}

static_assert(complete(kZen3) && complete(kWasmSimd) && complete(kWasmRelaxed));

}  // namespace

}  // namespace conv2d::cost
