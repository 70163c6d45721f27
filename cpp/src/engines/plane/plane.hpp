#pragma once

#include "engines/executable.hpp"
#include "engines/windows/product.hpp"
#include "engines/windows/windows.hpp"

/// A product of one channel and one column. Registers hold neighboring windows. Precondition of all here: groups,
/// channels, out_channels, cols.step and out_col are 1, and there are taps.
namespace conv2d::engine {

/// Whether the copy of the padded image is small enough compared with the image. A padding or dilation much larger than
/// the image makes it too large.
bool plane_copy_is_small(const WindowProduct& product) noexcept;

ExecutablePointer prepare_plane(const WindowProduct& product, WindowTensorsOf tensors, const PrepareOptions& options);

}  // namespace conv2d::engine
