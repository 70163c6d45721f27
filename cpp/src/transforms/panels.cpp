#include "transforms/panels.hpp"

#include <algorithm>

#include "base/range.hpp"
#include "dcheck/dcheck.hpp"
#include "transforms/lane_copy.hpp"
#include "transforms/transpose_4x4.hpp"

namespace conv2d {
namespace {

/// With a constant width, the compiler unrolls the loops and keeps the pointers of up to 12 lanes in registers.
template <std::int64_t kWidth>
void interleave_fixed(const float* const* lanes, std::int64_t reduction, float* panel) noexcept {
  const float* lane[kWidth];
  for (std::int64_t i = 0; i < kWidth; ++i) lane[i] = lanes[i];
  std::int64_t d = 0;
  if constexpr (kWidth % 4 == 0) {
    for (; d + 4 <= reduction; d += 4) {
      for (std::int64_t i = 0; i < kWidth; i += 4) transpose_4x4(lane + i, d, panel + d * kWidth + i, kWidth);
    }
  }
  for (; d < reduction; ++d) {
    for (std::int64_t i = 0; i < kWidth; ++i) panel[d * kWidth + i] = lane[i][d];
  }
}

/// interleave() of one of kWidths lanes; false when `width` is another.
template <std::int64_t... kWidths>
bool interleave_of(const float* const* lanes, std::int64_t width, std::int64_t reduction, float* panel) noexcept {
  return ((width == kWidths && (interleave_fixed<kWidths>(lanes, reduction, panel), true)) || ...);
}

/// A tap of the kernel, and the first channel of its lanes in x.
struct Tap {
  std::int64_t p = 0, q = 0, c = 0;
};

/// The lanes of one tap, adjacent in x: `lanes` floats of every output position in the range, `width` apart in the
/// panel.
void pack_tap(const Geometry& g, const float* x, std::int64_t first_position, const Tap& tap, std::int64_t lanes,
              const PanelRange& range, float* panel) noexcept {
  for_each_row_span({first_position, first_position + range.reduction}, g.oh, g.ow,
                    [&](std::int64_t n, std::int64_t i, Range outputs) {
                      const std::int64_t row = i * g.stride_h + tap.p * g.dilation_h - g.padding.top;
                      const std::int64_t col = outputs.begin * g.stride_w + tap.q * g.dilation_w - g.padding.left;
                      const Range cols = row >= 0 && row < g.h ? inside(outputs.size(), g.stride_w, col, g.w) : Range{};
                      zero_lanes(lanes, cols.begin, panel, range.width);
                      if (cols.begin < cols.end) {
                        const std::int64_t cell = (n * g.h + row) * g.w + col + cols.begin * g.stride_w;
                        copy_lanes(lanes, cols.end - cols.begin, x + cell * g.c + tap.c,
                                   cols.end - cols.begin > 1 ? g.stride_w * g.c : 0, panel + cols.begin * range.width,
                                   range.width);
                      }
                      zero_lanes(lanes, outputs.size() - cols.end, panel + cols.end * range.width, range.width);
                      panel += outputs.size() * range.width;
                    });
}

}  // namespace

void pack_row_lanes(const float* matrix, std::int64_t row_stride, const PanelRange& range, float* panel) noexcept {
  CONV2D_DCHECK(range.valid >= 1 && range.valid <= range.width && range.width <= kMaxPanelWidth &&
                range.reduction >= 0);
  CONV2D_DCHECK((matrix && panel) || range.reduction == 0);
  if (range.valid == range.width) {
    const float* lanes[kMaxPanelWidth];
    for (std::int64_t i = 0; i < range.width; ++i) lanes[i] = matrix + i * row_stride;
    interleave(lanes, range.width, range.reduction, panel);
    return;
  }
  for (std::int64_t d = 0; d < range.reduction; ++d) {
    float* row = panel + d * range.width;
    for (std::int64_t i = 0; i < range.valid; ++i) row[i] = matrix[i * row_stride + d];
    std::fill(row + range.valid, row + range.width, 0.0F);
  }
}

void pack_column_lanes(const float* matrix, std::int64_t row_stride, const PanelRange& range, float* panel) noexcept {
  CONV2D_DCHECK(range.valid >= 1 && range.valid <= range.width && range.reduction >= 0);
  CONV2D_DCHECK((matrix && panel) || range.reduction == 0);
  if (row_stride == range.width && range.valid == range.width) {
    copy_floats(matrix, range.width * range.reduction, panel);  // nothing is left out between the rows
    return;
  }
  copy_lanes(range.valid, range.reduction, matrix, row_stride, panel, range.width);
  zero_lanes(range.width - range.valid, range.reduction, panel + range.valid, range.width);
}

void interleave(const float* const* lanes, std::int64_t width, std::int64_t reduction, float* panel) noexcept {
  CONV2D_DCHECK(width >= 0 && reduction >= 0);
  if (interleave_of<4, 6, 8, 12, 16, 32>(lanes, width, reduction, panel)) return;
  for (std::int64_t i = 0; i < width; ++i) {
    for (std::int64_t d = 0; d < reduction; ++d) panel[d * width + i] = lanes[i][d];
  }
}

void pack_x_col(const Geometry& g, const ColumnRows& rows, const float* x, std::int64_t column, std::int64_t width,
                float* panel) noexcept {
  CONV2D_DCHECK(g.layout == Layout::nhwc && rows.order == ColumnOrder::kh_kw_c);
  CONV2D_DCHECK(rows.group >= 0 && rows.group < g.groups);
  CONV2D_DCHECK(column >= 0 && width >= 1 && column + width <= g.kh * g.kw * g.group_c);
  CONV2D_DCHECK(rows.first >= 0 && rows.first + rows.count <= g.n * g.oh * g.ow);
  const PanelRange range{.valid = width, .width = width, .reduction = rows.count};
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
