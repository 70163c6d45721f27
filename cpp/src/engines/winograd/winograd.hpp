#pragma once

#include <cstdint>

#include "engines/prepared.hpp"
#include "engines/windows/product.hpp"
#include "engines/windows/windows.hpp"

namespace conv2d::engine {

/// The product by F(m x m, 3 x 3), m = `outputs` being 2 or 4. Precondition: 3 x 3 taps; step, dilation and groups are
/// 1. Sums are of mixed cells: see AlgorithmInfo::mixes_cells.
PreparedPointer prepare_winograd(const WindowProduct& product, std::int64_t outputs, WindowTensorsOf tensors,
                                 const Request& request);

}  // namespace conv2d::engine
