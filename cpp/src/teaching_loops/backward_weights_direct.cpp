#include <algorithm>

#include "teaching_loops/teaching_loops.hpp"

namespace conv2d::teaching_loops {
namespace {

/// `count` outputs of one row that a tile reads, and the steps of x, dy and dw.
struct RowLoop {
  std::int64_t count = 0;
  std::int64_t x_step = 0, dy_step = 0;        ///< from one output to the next
  std::int64_t x_channel = 0, dw_channel = 0;  ///< from a channel to the next
  std::int64_t dy_filter = 0, dw_filter = 0;
};

/// Adds the sum over the row of x[c] * dy[k] to dw[c][k], for kC channels and kK filters. The kC * kK sums stay in
/// registers for the whole row: kC + kK loads serve kC * kK multiply-adds.
template <int kC, int kK, bool kFiltersAdjacent>
void add_tile(const RowLoop& loop, const float* x, const float* dy, float* dw) noexcept {
  const std::int64_t dy_filter = kFiltersAdjacent ? 1 : loop.dy_filter;
  float sums[kC][kK] = {};
  for (std::int64_t t = 0; t < loop.count; ++t) {
    float dy_row[kK];  // without the copy, clang loads the elements one by one
    for (int k = 0; k < kK; ++k) dy_row[k] = dy[k * dy_filter];
    for (int c = 0; c < kC; ++c) {
      const float factor = x[c * loop.x_channel];
      for (int k = 0; k < kK; ++k) sums[c][k] += factor * dy_row[k];
    }
    x += loop.x_step;
    dy += loop.dy_step;
  }
  for (int c = 0; c < kC; ++c) {
    for (int k = 0; k < kK; ++k) dw[c * loop.dw_channel + k * loop.dw_filter] += sums[c][k];
  }
}

/// Filters of a tile.
constexpr int kWide = 8;

/// add_tile for kC channels and the filters that fill tiles.
template <int kC>
void add_channels(const RowLoop& loop, std::int64_t filters, const float* x, const float* dy, float* dw) noexcept {
  for (std::int64_t k = 0; k + kWide <= filters; k += kWide) {
    const float* dy_k = dy + k * loop.dy_filter;
    float* dw_k = dw + k * loop.dw_filter;
    if (loop.dy_filter == 1) {
      add_tile<kC, kWide, true>(loop, x, dy_k, dw_k);
    } else {
      add_tile<kC, kWide, false>(loop, x, dy_k, dw_k);
    }
  }
}

/// add_tile for all channels of a group. Not inlined, so that loops without tiles do not save its registers.
[[gnu::noinline]] void add_tiles(const Geometry& g, const RowLoop& loop, const float* x, const float* dy,
                                 float* dw) noexcept {
  constexpr int kTall = 4;
  std::int64_t c = 0;
  for (; c + kTall <= g.group_c; c += kTall) {
    add_channels<kTall>(loop, g.group_k, x + c * loop.x_channel, dy, dw + c * loop.dw_channel);
  }
  for (; c < g.group_c; ++c) add_channels<1>(loop, g.group_k, x + c * loop.x_channel, dy, dw + c * loop.dw_channel);
}

/// All channels and filters of a group: in tiles, and the filters that fill no tile one by one.
void add_group(const Geometry& g, const RowLoop& loop, const float* x, const float* dy, float* dw) noexcept {
  const std::int64_t in_tiles = g.group_k / kWide * kWide;
  if (in_tiles > 0) add_tiles(g, loop, x, dy, dw);
  for (std::int64_t c = 0; c < g.group_c; ++c) {
    for (std::int64_t k = in_tiles; k < g.group_k; ++k) {
      dw[c * loop.dw_channel + k * loop.dw_filter] +=
          dot(loop.count, x + c * loop.x_channel, loop.x_step, dy + k * loop.dy_filter, loop.dy_step);
    }
  }
}

/// Adds the contributions of the outputs [outputs.begin, outputs.end) of row i of image n to all of dw.
void add_row(const Geometry& g, const Operands& o, std::int64_t n, std::int64_t i, Range outputs) noexcept {
  const auto x = x_view(o.x, g);
  const auto dy = y_view(o.dy, g);
  const auto dw = w_view(o.out, g);
  RowLoop loop{.x_step = g.stride_w > g.w ? 0 : g.stride_w * x.stride_2,  // wider than x: no second output to step to
               .dy_step = dy.stride_2,
               .x_channel = x.stride_3,
               .dw_channel = dw.stride_2,
               .dy_filter = dy.stride_3,
               .dw_filter = dw.stride_3};
  const Range rows = row_taps(g, i);
  if (rows.size() == 0) return;
  const std::int64_t x_line = stride_of(rows.size(), g.dilation_h, x.stride_1);
  for (std::int64_t q = 0; q < g.kw; ++q) {
    const Range reached = inside(g.ow, g.stride_w, q * g.dilation_w - g.padding.left, g.w);
    const std::int64_t begin = std::max(reached.begin, outputs.begin);
    loop.count = std::min(reached.end, outputs.end) - begin;
    if (loop.count <= 0) continue;
    const float* first_x = &x(n, x_row(g, i, rows.begin), x_column(g, begin, q), 0);
    const float* first_dy = &dy(n, i, begin, 0);
    for (std::int64_t p = rows.begin; p < rows.end; ++p) {
      const float* x_p = first_x + (p - rows.begin) * x_line;
      for (std::int64_t group = 0; group < g.groups; ++group) {
        add_group(g, loop, x_p + group * g.group_c * x.stride_3, first_dy + group * g.group_k * dy.stride_3,
                  &dw(p, q, 0, group * g.group_k));
      }
    }
  }
}

}  // namespace

void reduce_positions(const Geometry& g, const Operands& o, Range positions) noexcept {
  for_each_row_span(positions, g.oh, g.ow,
                    [&](std::int64_t n, std::int64_t i, Range outputs) { add_row(g, o, n, i, outputs); });
}

constexpr LoopKernel kBackwardWeightsDirect{
    // A tile of 4 x 8 sums takes 12 loads; in NCHW its filters are loaded one by one. Narrower groups have tiles of one
    // row or column, which begin a new tile for every few multiply-adds.
    .cost =
        [](const Geometry& g, const cost::Loops& c) {
          const double cycles_per_mac = g.group_c >= 4 && g.group_k >= 8 ? c.direct_dw_mac : c.narrow_dw_mac;
          return cycles_per_mac * static_cast<double>(g.macs());
        },
    .run =
        [](const Geometry& g, const Operands& o, float*, const ProgressHook& progress) noexcept {
          std::fill_n(o.out, g.w_size, 0.0F);
          // Whole rows: a tile that ends in the middle of a row saves nothing.
          return in_chunks(g.n * g.oh, g.w_size * g.ow, progress, [&](Range rows) {
            reduce_positions(g, o, {rows.begin * g.ow, rows.end * g.ow});
          });
        }};

}  // namespace conv2d::teaching_loops
