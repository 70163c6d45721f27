#pragma once

#include "conv2d/conv_desc.hpp"
#include "conv2d/lowering.hpp"
#include "transforms/panels.hpp"

namespace conv2d {

/// w_col of one group as B: lanes are the group's filters, k runs over the columns of x_col in `order`. Precondition: w
/// is HWIO, whatever g->layout says.
struct WCol {
  const Geometry* g = nullptr;
  const float* w = nullptr;
  std::int64_t group = 0;
  ColumnOrder order = ColumnOrder::kh_kw_c;

  [[nodiscard]] PanelSource source() const& noexcept;
  PanelSource source() const&& = delete;  // the source would outlive *this
};

}  // namespace conv2d
