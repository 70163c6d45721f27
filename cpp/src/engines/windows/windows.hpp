#pragma once

#include "engines/prepared.hpp"
#include "engines/windows/product.hpp"

namespace conv2d::engine {

/// Where a pass's operands are for its products.
using WindowTensorsOf = WindowTensors (*)(const Operands&) noexcept;

PreparedPointer prepare_windows(WindowProducts products, WindowTensorsOf tensors, const Request& request);

}  // namespace conv2d::engine
