#pragma once

#include "engines/windows/product.hpp"

namespace conv2d::engine {

/// Estimated cycles of a product with packed weights.
double window_cost(const WindowProduct& product) noexcept;

/// Estimated cycles of packing its weights.
double window_packing_cost(const WindowProduct& product) noexcept;

}  // namespace conv2d::engine
