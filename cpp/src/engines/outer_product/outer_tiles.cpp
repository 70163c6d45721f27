#include "engines/outer_product/outer_blocks.hpp"

#include "dcheck/dcheck.hpp"
#include "micro_kernels/kernel_set.hpp"
#include "transforms/lane_copy.hpp"

namespace conv2d::engine {
namespace {

using micro_kernels::OuterProductTile;
using micro_kernels::TileWidth;

// The largest tile of all instruction sets: 27 x 1 registers of AVX-512.
constexpr std::int64_t kMaxTileFloats =
    std::max(micro_kernels::kMaxTileRows * 2, micro_kernels::kMaxNarrowRows) * micro_kernels::kMaxLanes;

/// A span within a panel: its pixels, and the rows of dw that it computes.
struct TapSpan {
  Range lines, columns;      ///< outputs with a stored cell of x
  const float* x = nullptr;  ///< at the first of them
  std::int64_t rows = 0;     ///< of dw
  std::int64_t row = 0;      ///< of the group's dw, the span's first
};

/// Calls visit(TapSpan) for all spans of all panels. Spans without pixels have empty ranges.
template <class Visit>
void for_each_tap_span(const Geometry& g, const OuterBlocks& blocks, const OuterBlock& b, Visit visit) noexcept {
  for (std::int64_t panel = b.panels.begin; panel < b.panels.end; ++panel) {
    for (std::int64_t p = b.taps.begin; p < b.taps.end; ++p) {
      const Range reached =
          blocks.triples() ? Range{0, g.oh} : inside(g.oh, g.stride_h, p * g.dilation_h - g.padding.top, g.h);
      const Range lines{std::max(reached.begin, b.lines.begin), std::min(reached.end, b.lines.end)};
      for (std::int64_t q = 0; q < blocks.spans; ++q) {
        TapSpan span;
        span.rows = blocks.rows_in(panel);
        span.row = (p * g.kw + q) * g.group_c + panel * blocks.width;
        const Range columns =
            blocks.borders ? Range{0, g.ow} : inside(g.ow, g.stride_w, q * g.dilation_w - g.padding.left, g.w);
        if (lines.size() > 0 && columns.size() > 0) {
          const std::int64_t row = (x_row(g, lines.begin, p) - b.rows.first) / b.rows.step;
          const std::int64_t column = (x_column(g, columns.begin, q) - blocks.columns.first) / blocks.columns.step;
          span.lines = lines;
          span.columns = columns;
          span.x = b.x + (panel - b.panels.begin) * b.x_panel + row * b.x_row + column * b.x_cell;
        }
        visit(span);
      }
    }
  }
}

/// Joins two nested loops into one where the outer loop continues at the end of the inner one: a tile has some overhead
/// per line.
void join(micro_kernels::Loop& outer, micro_kernels::Loop& inner) noexcept {
  const bool a_continues = outer.a_step == inner.count * inner.a_step;
  const bool b_continues = outer.b_step == inner.count * inner.b_step;
  if (outer.count <= 1 || !a_continues || !b_continues) return;
  inner.count *= outer.count;
  outer = {.count = 1, .a_step = 0, .b_step = 0};
}

/// The loops over the pixels of `span`, which has some, with x as a.
OuterProductTile tile_of(const Geometry& g, const OuterBlocks& blocks, const OuterBlock& b, const TapSpan& span,
                         const DyColumns& dy) noexcept {
  const std::int64_t lines = span.lines.size();
  const std::int64_t columns = span.columns.size();
  const std::int64_t x_line = stride_of(lines, g.stride_h / blocks.row_step, b.x_row);
  const std::int64_t x_pixel = stride_of(columns, g.stride_w / blocks.columns.step, b.x_cell);
  const std::int64_t dy_line = g.ow * dy.pitch;
  OuterProductTile tile;
  tile.a = span.x;
  tile.b = dy.data + (span.lines.begin - b.lines.begin) * dy_line + span.columns.begin * dy.pitch;
  tile.images = {b.images.size(), b.x_image, b.lines.size() * dy_line};
  tile.lines = {lines, x_line, dy_line};
  tile.pixels = {columns, x_pixel, dy.pitch};
  join(tile.lines, tile.pixels);
  return tile;
}

/// Runs `kernel`, which has a tile of rows x full sums. A single tile may have only `columns` columns in c.
void run_part(micro_kernels::OuterProductFunction kernel, const OuterProductTile& tile, std::int64_t rows,
              std::int64_t full, std::int64_t columns) noexcept {
  if (columns == full) return kernel(tile);
  CONV2D_DCHECK(tile.tiles == 1);
  float sums[kMaxTileFloats];
  OuterProductTile whole = tile;
  whole.c = sums;
  whole.row_stride = full;
  whole.accumulate = false;
  kernel(whole);
  for (std::int64_t r = 0; r < rows; ++r) {
    for (std::int64_t j = 0; j < columns; ++j) {
      float& to = tile.c[r * tile.row_stride + j];
      to = tile.accumulate ? to + sums[r * full + j] : sums[r * full + j];
    }
  }
}

}  // namespace

void run_tile(const KernelSet& k, const OuterProductTile& tile, std::int64_t rows, TileWidth width,
              std::int64_t columns) noexcept {
  run_part(k.outer_product[rows - 1][static_cast<int>(width)], tile, rows,
           micro_kernels::outer_vectors(static_cast<int>(rows), width) * k.lanes, columns);
}

void run_across(const KernelSet& k, OuterProductTile tile, std::int64_t rows, std::int64_t columns,
                TileWidth width) noexcept {
  // A single sum is no faster than two (8 x 8 x 1 with one filter in Chromium: 1.1 times the time). Only columns of
  // `wide` tiles may be read past the last one.
  const bool fewest_sums = width != TileWidth::wide || rows > 1;
  for (;; width = TileWidth::two) {
    const std::int64_t each = micro_kernels::outer_vectors(static_cast<int>(rows), width) * k.lanes;
    tile.next_c = each;
    tile.tiles = columns / each;
    if (tile.tiles > 0) {
      run_tile(k, tile, rows, width, each);
      tile.b += tile.tiles * tile.next_b;
      tile.c += tile.tiles * each;
      columns -= tile.tiles * each;
    }
    if (columns == 0) return;
    if (width == TileWidth::two) break;
    tile.next_b = 2 * k.lanes;
  }
  tile.tiles = 1;
  run_tile(k, tile, rows, fewest_sums && columns <= k.lanes ? TileWidth::one : TileWidth::two, columns);
}

void run_triple(const KernelSet& k, const OuterProductTile& tile, std::int64_t rows, std::int64_t columns) noexcept {
  run_part(k.outer_triple[rows - 1], tile, micro_kernels::kTripleSpans * rows, k.lanes, columns);
}

void multiply_block(const Geometry& g, const OuterBlocks& blocks, const OuterBlock& b, const DyColumns& dy,
                    const DwColumns& dw, bool accumulate) noexcept {
  const KernelSet& k = *blocks.kernels;
  for_each_tap_span(g, blocks, b, [&](const TapSpan& span) {
    float* const c = dw.data + span.row * dw.pitch;
    if (span.lines.size() == 0) {
      if (!accumulate) zero_lanes(dy.filters, span.rows, c, dw.pitch);
      return;
    }
    OuterProductTile tile = tile_of(g, blocks, b, span, dy);
    tile.row_stride = dw.pitch;
    tile.accumulate = accumulate;
    if (blocks.triples()) {
      tile.a_span = b.x_row;
      tile.c = c;
      return run_triple(k, tile, span.rows, dy.filters);
    }
    // Packed panels follow one another; in dy itself, filters are adjacent.
    tile.next_b = blocks.dy_in_place ? k.tile_columns() : k.tile_columns() * b.pixels(g);
    const std::int64_t tiles = ceil_div(span.rows, most_tile_rows(k, g.group_k, span.rows));
    for (std::int64_t t = 0; t < tiles; ++t) {
      const std::int64_t row = span.rows * t / tiles;
      const std::int64_t rows = span.rows * (t + 1) / tiles - row;
      tile.a = span.x + row;
      tile.c = c + row * dw.pitch;
      run_across(k, tile, rows, dy.filters, TileWidth::two);
    }
  });
}

void multiply_block_transposed(const Geometry& g, const OuterBlocks& blocks, const OuterBlock& b, const DyColumns& dy,
                               float* dw_transposed, bool accumulate) noexcept {
  const KernelSet& k = *blocks.kernels;
  const std::int64_t tiles = ceil_div(dy.filters, k.outer_tile_rows);
  for_each_tap_span(g, blocks, b, [&](const TapSpan& span) {
    if (span.lines.size() == 0) {
      if (!accumulate) zero_lanes(span.rows, dy.filters, dw_transposed + span.row, dw_rows(g));
      return;
    }
    OuterProductTile tile = tile_of(g, blocks, b, span, dy);
    std::swap(tile.a, tile.b);
    for (micro_kernels::Loop* loop : {&tile.images, &tile.lines, &tile.pixels}) std::swap(loop->a_step, loop->b_step);
    tile.row_stride = dw_rows(g);
    tile.accumulate = accumulate;
    const float* first_a = tile.a;
    for (std::int64_t t = 0; t < tiles; ++t) {
      const std::int64_t filter = dy.filters * t / tiles;
      const auto rows = static_cast<int>(dy.filters * (t + 1) / tiles - filter);
      tile.a = first_a + filter;
      tile.c = dw_transposed + filter * tile.row_stride + span.row;
      tile.next_b = micro_kernels::outer_vectors(rows, TileWidth::wide) * k.lanes;
      run_across(k, tile, rows, span.rows, TileWidth::wide);
    }
  });
}

}  // namespace conv2d::engine
