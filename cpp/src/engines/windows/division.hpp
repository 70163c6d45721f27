#pragma once

#include "base/part.hpp"
#include "engines/windows/product.hpp"

/// How a product is divided among threads: each part has some of the images, of the rows of windows, or of the columns,
/// and is a product of its own. Nothing is shared but what is read, so what the parts do for themselves (packing the
/// weights for some rows, padding the image for some columns) is done several times: the cost model tells which
/// division loses least. Every sum is made in the order in which the whole product would make it.
namespace conv2d::engine {

/// What each part has a range of.
enum class Division { none, images, rows, columns };

/// Into how many parts, at most `most`, the product can be divided so that none is empty.
int part_count(const WindowProduct& product, int most) noexcept;

/// The one whose largest part costs least; none where the product cannot be divided into as many parts.
Division best_division(const WindowProduct& product, int parts) noexcept;

/// The product of one part. What is not divided belongs to the first; the others have no images then.
WindowProduct part_of(const WindowProduct& product, Division division, Part part) noexcept;

}  // namespace conv2d::engine
