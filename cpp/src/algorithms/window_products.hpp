#pragma once

#include "algorithms/entry.hpp"
#include "gemm/window_product.hpp"

/// The passes that are products of windows with weights, as such. Precondition of all: NHWC.
namespace conv2d::algorithm {

/// y = windows of x times w.
gemm::WindowProduct forward_product(const Geometry& g, const Operands& o) noexcept;

/// The cells of dx that are first_row and first_col from the top left corner of a stride's grid: windows of dy times
/// the taps of w that meet them, turned. With stride 1 there is one such phase, the full convolution. A phase without
/// taps is a product of depth 0, which writes zeros.
gemm::WindowProduct phase_product(const Geometry& g, const Operands& o, std::int64_t first_row,
                                  std::int64_t first_col) noexcept;

}  // namespace conv2d::algorithm
