#include "transforms/window_panels.hpp"

#include <algorithm>

#include "base/range.hpp"
#include "check/check.hpp"
#include "transforms/lane_copy.hpp"
#include "transforms/panels.hpp"

namespace conv2d {
namespace {

/// A tap of the kernel, and the first channel of its lanes in x.
struct Tap {
  std::int64_t p = 0, q = 0, c = 0;
};

/// The lanes of one tap, adjacent in x: `lanes` floats of every output position in the range, `width` apart in the
/// panel.
void pack_tap(const Geometry& g, const float* x, std::int64_t first_k, const Tap& tap, std::int64_t lanes,
              const PanelRange& range, float* panel) noexcept {
  std::int64_t j = first_k % g.ow;
  std::int64_t i = first_k / g.ow % g.oh;
  std::int64_t n = first_k / g.ow / g.oh;
  for (std::int64_t left = range.k; left > 0;) {
    // One row of y at a time: it reads a single row of x.
    const std::int64_t count = std::min(g.ow - j, left);
    const std::int64_t row = i * g.stride_h + tap.p * g.dilation_h - g.padding.top;
    const std::int64_t col = j * g.stride_w + tap.q * g.dilation_w - g.padding.left;
    const Range cols = row >= 0 && row < g.h ? inside(count, g.stride_w, col, g.w) : Range{};
    zero_lanes(lanes, cols.begin, panel, range.width);
    if (cols.begin < cols.end) {
      const std::int64_t cell = (n * g.h + row) * g.w + col + cols.begin * g.stride_w;
      copy_lanes(lanes, cols.end - cols.begin, x + cell * g.c + tap.c, cols.end - cols.begin > 1 ? g.stride_w * g.c : 0,
                 panel + cols.begin * range.width, range.width);
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

}  // namespace

void pack_x_col(const Geometry& g, const ColumnRows& rows, const float* x, std::int64_t column, std::int64_t width,
                float* panel) noexcept {
  CONV2D_DCHECK(g.layout == Layout::nhwc && rows.order == ColumnOrder::kh_kw_c);
  CONV2D_DCHECK(rows.group >= 0 && rows.group < g.groups);
  CONV2D_DCHECK(column >= 0 && width >= 1 && column + width <= g.kh * g.kw * g.group_c);
  CONV2D_DCHECK(rows.first >= 0 && rows.first + rows.count <= g.n * g.oh * g.ow);
  const PanelRange range{.valid = width, .width = width, .k = rows.count};
  for (std::int64_t lane = 0; lane < width;) {
    const std::int64_t at = column + lane;
    const std::int64_t c = at % g.group_c;
    const std::int64_t count = std::min(g.group_c - c, width - lane);
    const Tap tap{.p = at / (g.kw * g.group_c), .q = at / g.group_c % g.kw, .c = rows.group * g.group_c + c};
    pack_tap(g, x, rows.first, tap, count, range, panel + lane);  // An empty x may be a null pointer.
    lane += count;
  }
}

}  // namespace conv2d
