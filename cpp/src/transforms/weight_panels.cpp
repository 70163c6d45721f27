#include "transforms/weight_panels.hpp"

#include "check/check.hpp"
#include "transforms/lane_copy.hpp"

namespace conv2d {
namespace {

void pack_w_col(const void* context, const PanelRange& range, float* panel) noexcept {
  const auto& source = *static_cast<const WCol*>(context);
  const Geometry& g = *source.g;
  CONV2D_DCHECK(g.layout == Layout::nhwc);
  CONV2D_DCHECK(source.w && source.group >= 0 && source.group < g.groups);
  CONV2D_DCHECK(range.first + range.valid <= g.group_k);
  CONV2D_DCHECK(range.first_k + range.k <= g.kh * g.kw * g.group_c);
  const float* first = source.w + source.group * g.group_k + range.first;
  zero_lanes(range.width - range.valid, range.k, panel + range.valid, range.width);
  if (source.order == ColumnOrder::kh_kw_c) {
    copy_lanes(range.valid, range.k, first + range.first_k * g.k, g.k, panel, range.width);
    return;
  }
  const std::int64_t taps = g.kh * g.kw;
  for (std::int64_t d = 0; d < range.k; ++d) {
    const std::int64_t c = (range.first_k + d) / taps;
    const std::int64_t tap = (range.first_k + d) % taps;
    copy_lanes(range.valid, 1, first + (tap * g.group_c + c) * g.k, g.k, panel + d * range.width, range.width);
  }
}

}  // namespace

PanelSource WCol::source() const& noexcept { return {pack_w_col, this}; }

}  // namespace conv2d
