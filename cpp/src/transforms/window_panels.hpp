#pragma once

#include "conv2d/conv_desc.hpp"
#include "transforms/panels.hpp"

/// The transpose of x_col as a panel source that reads the image itself: the matrix of the lowering is never stored.
/// Precondition: NHWC. Columns of x_col are in (p, q, c) order.
namespace conv2d {

/// x_col^T of one group as A: lanes are (p, q, c), depth runs over output positions (n, i, j).
struct WindowDepth {
  const Geometry* g = nullptr;
  const float* x = nullptr;
  std::int64_t group = 0;

  [[nodiscard]] PanelSource source() const& noexcept;
  PanelSource source() const&& = delete;  // which would outlive what it reads
};

}  // namespace conv2d
