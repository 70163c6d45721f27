#include <algorithm>

#include "engines/chunks.hpp"
#include "engines/outer_product/plan.hpp"
#include "engines/outer_product/tiles.hpp"
#include "micro_kernels/kernel_set.hpp"
#include "transforms/panels.hpp"

namespace conv2d::engine {
namespace {

/// The panels of x of one block and group, packed at `panels`, or read in place.
OuterBlock load_block(const Geometry& g, const OuterBlocks& blocks, const float* x, Range images, Range lines,
                      std::int64_t group, Range chosen, float* panels) noexcept {
  OuterBlock b{
      .images = images, .lines = lines, .panels = chosen, .group = group, .rows = stored_rows(g, blocks, lines)};
  if (blocks.x_in_place) {
    b.x_cell = blocks.columns.step * g.c;
    b.x_row = blocks.row_step * g.w * g.c;
    b.x_image = g.h * g.w * g.c;
    b.x = x + ((images.begin * g.h + b.rows.first) * g.w + blocks.columns.first) * g.c + group * g.group_c;
  } else {
    b.x_cell = blocks.width;
    b.x_row = blocks.columns.count * blocks.width;
    b.x_image = b.rows.count * b.x_row;
    b.x_panel = images.size() * b.x_image;
    b.x = panels;
    pack_x_panels(g, blocks, x, group, chosen, images, b.rows, panels);
  }
  return b;
}

/// The panels of `filters` filters from `filter`: pixels x the columns of a tile each, the last one filled with zeros.
DyColumns pack_dy(const Geometry& g, const OuterBlock& b, const float* dy, std::int64_t filter, std::int64_t filters,
                  std::int64_t tile_columns, float* panels) noexcept {
  const std::int64_t pixels = b.pixels(g);
  const ColumnLanes source{.data = dy + b.first_pixel(g) * g.k + b.group * g.group_k, .row_stride = g.k};
  for (std::int64_t f = 0; f < filters; f += tile_columns) {
    source.source()(
        {.first = filter + f, .valid = std::min(tile_columns, filters - f), .width = tile_columns, .k = pixels},
        panels + f * pixels);
  }
  return {panels, filters, tile_columns};
}

void transpose(const Geometry& g, const float* dw_transposed, float* dw) noexcept {
  const std::int64_t rows = dw_rows(g);
  for (std::int64_t row = 0; row < rows; ++row) {
    for (std::int64_t k = 0; k < g.k; ++k) dw[row * g.k + k] = dw_transposed[k * rows + row];
  }
}

}  // namespace

bool OuterProductExecutable::run(const Operands& o, Part part, const Memory& memory,
                                 const ProgressHook& progress) const noexcept {
  const Geometry& g = g_;
  if (g.n == 0) {
    if (part.index == 0) std::fill_n(o.out, g.w_size, 0.0F);
    return true;
  }
  const OuterPart mine = division_.part(g, blocks_, part);
  const std::int64_t first_column = mine.first_column(g);
  const bool own_columns = kThreads && division_.by_columns;
  float* const dw_transposed = g.k == 1 ? o.out : dw_transposed_.in(memory.own);
  const DwColumns dw =
      own_columns ? DwColumns{dw_.in(memory.own), mine.columns()} : DwColumns{o.out + first_column, g.k};

  // A step is a block, a group and some filters.
  const std::int64_t filter_steps = ceil_div(mine.filters.size(), filters_at_once_);
  const std::int64_t steps = image_blocks_ * line_blocks_ * mine.groups.size() * filter_steps;
  const std::int64_t macs = dw_rows(g) * filters_at_once_ * blocks_.images * blocks_.lines * g.ow;
  OuterBlock b;
  const bool finished = in_chunks(steps, macs, progress, [&](Range chunk) {
    for (std::int64_t t = chunk.begin; t < chunk.end; ++t) {
      const std::int64_t filter = mine.filters.begin + t % filter_steps * filters_at_once_;
      const std::int64_t group = mine.groups.begin + t / filter_steps % mine.groups.size();
      const std::int64_t block = t / filter_steps / mine.groups.size();
      if (filter == mine.filters.begin) {
        const std::int64_t n = block / line_blocks_ * blocks_.images;
        const std::int64_t i = block % line_blocks_ * blocks_.lines;
        b = load_block(g, blocks_, o.x, {n, std::min(n + blocks_.images, g.n)}, {i, std::min(i + blocks_.lines, g.oh)},
                       group, mine.panels, x_.in(memory.own));
      }
      const std::int64_t filters = std::min(filters_at_once_, mine.filters.end - filter);
      const std::int64_t first_k = group * g.group_k + filter;
      const DyColumns dy = blocks_.dy_in_place ? DyColumns{o.dy + b.first_pixel(g) * g.k + first_k, filters, g.k}
                                               : pack_dy(g, b, o.dy, filter, filters, blocks_.kernels->tile_columns(),
                                                         dy_.in(memory.own));
      if (blocks_.transposed) {
        multiply_block_transposed(g, blocks_, b, dy, dw_transposed + first_k * dw_rows(g), block > 0);
      } else {
        multiply_block(g, blocks_, b, dy, {dw.data + first_k - first_column, dw.pitch}, block > 0);
      }
    }
  });
  if (blocks_.transposed && g.k > 1) transpose(g, dw_transposed, o.out);
  if (own_columns) {
    for (std::int64_t row = 0; row < dw_rows(g); ++row) {
      std::copy_n(dw.data + row * dw.pitch, dw.pitch, o.out + row * g.k + first_column);
    }
  }
  return finished;
}

}  // namespace conv2d::engine
