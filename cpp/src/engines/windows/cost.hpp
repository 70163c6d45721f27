#pragma once

#include "engines/windows/product.hpp"

namespace conv2d::engine {

/// Estimated cycles of a product whose weights are packed already.
double window_cost(const WindowProduct& product) noexcept;

/// What packing its weights adds.
double window_packing_cost(const WindowProduct& product) noexcept;

}  // namespace conv2d::engine
