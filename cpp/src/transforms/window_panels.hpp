#pragma once

#include "conv2d/conv_desc.hpp"
#include "transforms/panels.hpp"

/// x_col and its transpose as panel sources that read the image itself: the matrix of the lowering is never stored.
/// Precondition of both: NHWC. Columns of x_col are in (p, q, c) order.
namespace conv2d {

/// x_col of one group as A: lanes are output positions (n, i, j), depth runs over (p, q, c).
struct WindowLanes {
  const Geometry* g = nullptr;
  const float* x = nullptr;
  std::int64_t group = 0;

  [[nodiscard]] PanelSource source() const noexcept;
};

/// x_col^T of one group as A: lanes are (p, q, c), depth runs over output positions (n, i, j).
struct WindowDepth {
  const Geometry* g = nullptr;
  const float* x = nullptr;
  std::int64_t group = 0;

  [[nodiscard]] PanelSource source() const noexcept;
};

}  // namespace conv2d
