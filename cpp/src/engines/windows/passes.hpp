#pragma once

#include <vector>

#include "engines/executable.hpp"
#include "engines/windows/product.hpp"

/// The passes as products of windows with weights. Precondition of all: NHWC. Weights have any layout.
namespace conv2d::engine {

/// y = windows of x times w.
WindowProduct forward_product(const Geometry& g, const KernelSet& kernels) noexcept;

/// The cells of dx that are first_row and first_col from the top left corner of a stride's grid: windows of dy times
/// the taps of w that meet them, flipped. With stride 1 there is one such phase, the full convolution. A phase without
/// taps is a product with k = 0, which writes zeros.
WindowProduct phase_product(const Geometry& g, const KernelSet& kernels, std::int64_t first_row,
                            std::int64_t first_col) noexcept;

/// The whole forward pass, and all phases of backward_data. Each product computes its own part of the output with its
/// own part of the weights.
std::vector<WindowProduct> forward_products(const Geometry& g, const KernelSet& kernels);
std::vector<WindowProduct> backward_data_products(const Geometry& g, const KernelSet& kernels);

/// The memory that the offsets of these products refer to.
constexpr WindowTensors forward_tensors(const Operands& o) noexcept { return {o.x, o.w, o.packed, o.b, o.out}; }
constexpr WindowTensors backward_data_tensors(const Operands& o) noexcept {
  return {o.dy, o.w, o.packed, nullptr, o.out};
}

}  // namespace conv2d::engine
