#pragma once

#include "engines/prepared.hpp"
#include "engines/windows/product.hpp"
#include "engines/windows/windows.hpp"

/// A product of one channel and one column, whose registers hold neighbouring windows. Precondition of all here:
/// groups, channels, columns, cols.step and out_col are 1, and there are taps.
namespace conv2d::engine {

/// Whether the copy of the padded image is small enough beside the image: a padding or dilation that is much larger
/// than the image is not worth its zeros.
bool plane_sensible(const WindowProduct& product) noexcept;

PreparedPointer prepare_plane(const WindowProduct& product, WindowTensorsOf tensors, const Request& request);

}  // namespace conv2d::engine
