#include "transforms/weight_panels.hpp"

#include "check/check.hpp"
#include "transforms/lane_copy.hpp"

namespace conv2d {
namespace {

void pack_weight_depth(const void* context, const PanelRange& range, float* panel) noexcept {
  const auto& source = *static_cast<const WeightDepth*>(context);
  const Geometry& g = *source.g;
  CONV2D_CHECK(g.layout == Layout::nhwc);
  CONV2D_CHECK(source.w && source.group >= 0 && source.group < g.groups);
  CONV2D_CHECK(range.first + range.valid <= g.group_k);
  CONV2D_CHECK(range.depth_first + range.depth <= g.kh * g.kw * g.group_c);
  const float* first = source.w + source.group * g.group_k + range.first;
  zero_lanes(range.width - range.valid, range.depth, panel + range.valid, range.width);
  if (source.order == ColumnOrder::kh_kw_c) {
    copy_lanes(range.valid, range.depth, first + range.depth_first * g.k, g.k, panel, range.width);
    return;
  }
  const std::int64_t taps = g.kh * g.kw;
  for (std::int64_t d = 0; d < range.depth; ++d) {
    const std::int64_t c = (range.depth_first + d) / taps;
    const std::int64_t tap = (range.depth_first + d) % taps;
    copy_lanes(range.valid, 1, first + (tap * g.group_c + c) * g.k, g.k, panel + d * range.width, range.width);
  }
}

}  // namespace

PanelSource WeightDepth::source() const& noexcept { return {pack_weight_depth, this}; }

}  // namespace conv2d
