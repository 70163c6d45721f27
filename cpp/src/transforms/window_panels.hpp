#pragma once

#include "conv2d/conv_desc.hpp"
#include "transforms/panels.hpp"

/// The transpose of x_col as a panel source that reads the image directly: x_col is never stored. Precondition: NHWC.
/// Columns of x_col are in (p, q, c) order.
namespace conv2d {

/// x_col^T of one group as A: lanes are (p, q, c), k runs over output positions (n, i, j).
struct XColTransposed {
  const Geometry* g = nullptr;
  const float* x = nullptr;
  std::int64_t group = 0;

  [[nodiscard]] PanelSource source() const& noexcept;
  PanelSource source() const&& = delete;  // the source would outlive *this
};

}  // namespace conv2d
