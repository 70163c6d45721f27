#include "transforms/weight_panels.hpp"

#include <algorithm>

namespace conv2d {
namespace {

/// The row of HWIO weights, [kh, kw, c / groups] flattened, that meets column `depth` of x_col.
std::int64_t weight_row(const Geometry& g, ColumnOrder order, std::int64_t depth) noexcept {
  if (order == ColumnOrder::kh_kw_c) return depth;
  const std::int64_t taps = g.kh * g.kw;
  return depth % taps * g.group_c + depth / taps;
}

void pack_weight_depth(const void* context, const PanelRange& range, float* panel) noexcept {
  const auto& source = *static_cast<const WeightDepth*>(context);
  const Geometry& g = *source.g;
  const float* first = source.w + source.group * g.group_k + range.first;
  for (std::int64_t d = 0; d < range.depth; ++d) {
    float* row = panel + d * range.width;
    std::copy_n(first + weight_row(g, source.order, range.depth_first + d) * g.k, range.valid, row);
    std::fill(row + range.valid, row + range.width, 0.0F);
  }
}

}  // namespace

PanelSource WeightDepth::source() const noexcept { return {pack_weight_depth, this}; }

}  // namespace conv2d
