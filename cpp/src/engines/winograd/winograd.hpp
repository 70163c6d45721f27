#pragma once

#include <cstdint>

#include "engines/executable.hpp"
#include "engines/windows/product.hpp"
#include "engines/windows/windows.hpp"

namespace conv2d::engine {

/// The product by F(m x m, 3 x 3), m = `outputs` = 2 or 4. Precondition: 3 x 3 taps; step, dilation and groups are 1.
/// Sums mix the cells of a tile: see AlgorithmInfo::mixes_cells.
ExecutablePointer prepare_winograd(const WindowProduct& product, std::int64_t outputs, WindowTensorsOf tensors,
                                   const PrepareOptions& options);

}  // namespace conv2d::engine
