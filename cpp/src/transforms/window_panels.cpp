#include "transforms/window_panels.hpp"

#include <algorithm>

#include "base/range.hpp"
#include "check/check.hpp"
#include "transforms/lane_copy.hpp"

namespace conv2d {
namespace {

/// A tap of the kernel, and the first channel of its lanes within the group.
struct Tap {
  std::int64_t p = 0, q = 0, c = 0;
};

/// The lanes of one tap, adjacent in x: `lanes` floats of every output position in the range, `width` apart in the
/// panel.
void pack_tap(const Geometry& g, const XColTransposed& source, const Tap& tap, std::int64_t lanes,
              const PanelRange& range, float* panel) noexcept {
  std::int64_t j = range.first_k % g.ow;
  std::int64_t i = range.first_k / g.ow % g.oh;
  std::int64_t n = range.first_k / g.ow / g.oh;
  for (std::int64_t left = range.k; left > 0;) {
    // One row of y at a time: it reads a single row of x.
    const std::int64_t count = std::min(g.ow - j, left);
    const std::int64_t row = i * g.stride_h + tap.p * g.dilation_h - g.padding.top;
    const std::int64_t col = j * g.stride_w + tap.q * g.dilation_w - g.padding.left;
    const Range cols = row >= 0 && row < g.h ? inside(count, g.stride_w, col, g.w) : Range{};
    zero_lanes(lanes, cols.begin, panel, range.width);
    if (cols.begin < cols.end) {
      const std::int64_t cell = (n * g.h + row) * g.w + col + cols.begin * g.stride_w;
      copy_lanes(lanes, cols.end - cols.begin, source.x + cell * g.c + source.group * g.group_c + tap.c,
                 cols.end - cols.begin > 1 ? g.stride_w * g.c : 0, panel + cols.begin * range.width, range.width);
    }
    zero_lanes(lanes, count - cols.end, panel + cols.end * range.width, range.width);
    panel += count * range.width;
    left -= count;
    j = 0;
    if (++i == g.oh) {
      i = 0;
      ++n;
    }
  }
}

void pack_x_col_transposed(const void* context, const PanelRange& range, float* panel) noexcept {
  const auto& source = *static_cast<const XColTransposed*>(context);
  const Geometry& g = *source.g;
  CONV2D_DCHECK(g.layout == Layout::nhwc);
  CONV2D_DCHECK(source.group >= 0 && source.group < g.groups);
  CONV2D_DCHECK(range.first + range.valid <= g.kh * g.kw * g.group_c);
  CONV2D_DCHECK(range.first_k + range.k <= g.n * g.oh * g.ow);
  zero_lanes(range.width - range.valid, range.k, panel + range.valid, range.width);
  std::int64_t lane = 0;
  while (lane < range.valid) {
    const std::int64_t column = range.first + lane;
    const Tap tap{.p = column / (g.kw * g.group_c), .q = column / g.group_c % g.kw, .c = column % g.group_c};
    const std::int64_t count = std::min(g.group_c - tap.c, range.valid - lane);
    pack_tap(g, source, tap, count, range, panel + lane);
    lane += count;
  }
}

}  // namespace

PanelSource XColTransposed::source() const& noexcept { return {pack_x_col_transposed, this}; }

}  // namespace conv2d
