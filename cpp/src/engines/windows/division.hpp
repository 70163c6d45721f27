#pragma once

#include "base/range.hpp"
#include "engines/windows/product.hpp"

/// How a product is divided among threads: each part has some of the images, of the rows of windows, or of the columns,
/// and is a product of its own. Parts share only what they read, so several parts may repeat some work (packing the
/// weights for some rows, padding the image for some columns). The cost model chooses the division with the least
/// repeated work. Every sum has the order of the undivided product.
namespace conv2d::engine {

/// What the parts divide.
enum class Division { none, images, rows, columns };

/// The largest number of parts, at most `most`, of which none is empty.
int part_count(const WindowProduct& product, int most) noexcept;

/// The division with the cheapest largest part; none when the product cannot be divided into so many parts.
Division best_division(const WindowProduct& product, int parts) noexcept;

/// The product of one part. A product that is not divided belongs to the first part; the others then have no images.
WindowProduct part_of(const WindowProduct& product, Division division, Part part) noexcept;

/// Estimated cycles of a product with packed weights.
double window_cost(const WindowProduct& product) noexcept;

/// Estimated cycles of packing its weights.
double window_packing_cost(const WindowProduct& product) noexcept;

}  // namespace conv2d::engine
