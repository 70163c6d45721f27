#pragma once

#include <vector>

#include "engines/executable.hpp"
#include "engines/windows/product.hpp"

namespace conv2d::engine {

/// Maps the operands of a pass to the tensors of its products.
using WindowTensorsOf = WindowTensors (*)(const Operands&) noexcept;

ExecutablePointer prepare_windows(std::vector<WindowProduct> products, WindowTensorsOf tensors,
                                  const PrepareOptions& options);

}  // namespace conv2d::engine
