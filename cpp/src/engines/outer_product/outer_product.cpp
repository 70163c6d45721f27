#include "engines/outer_product/outer_blocks.hpp"

#include "engines/loops.hpp"
#include "micro_kernels/kernel_set.hpp"
#include "transforms/panels.hpp"

namespace conv2d::engine {
namespace {

/// Number of filters with panels of dy that are packed together; their tiles follow each other. At least two panels,
/// which write whole cache lines of dw. With few pixels there are more panels: writing dw then dominates, and whole
/// pages are faster.
std::int64_t filters_at_once(const Geometry& g, const OuterBlocks& blocks) noexcept {
  if (blocks.transposed) return g.group_k;
  constexpr std::int64_t kDyFloats = 16384;  // a part of L2
  const std::int64_t panel = blocks.kernels->tile_columns();
  const std::int64_t pixels = blocks.images * blocks.lines * g.ow;
  return panel * std::clamp<std::int64_t>(kDyFloats / (panel * pixels), 2,
                                          std::max<std::int64_t>(2, ceil_div(g.group_k, panel)));
}

/// The panels of x of one block and group, packed at `panels`, or read in place.
OuterBlock load_block(const Geometry& g, const OuterBlocks& blocks, const float* x, Range images, Range lines,
                      std::int64_t group, const OuterPart& part, float* panels) noexcept {
  OuterBlock b{.images = images,
               .lines = lines,
               .panels = part.panels,
               .taps = part.taps,
               .group = group,
               .rows = stored_rows(g, blocks, lines)};
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
    pack_x_panels(g, blocks, x, group, part.panels, images, b.rows, panels);
  }
  return b;
}

/// The panels of `filters` filters from `filter`: pixels x the columns of a tile each, the last one filled with zeros.
DyColumns pack_dy(const Geometry& g, const OuterBlock& b, const float* dy, std::int64_t filter, std::int64_t filters,
                  std::int64_t tile_columns, float* panels) noexcept {
  const std::int64_t pixels = b.pixels(g);
  const float* const first = dy + b.first_pixel(g) * g.k + b.group * g.group_k + filter;
  for (std::int64_t f = 0; f < filters; f += tile_columns) {
    pack_column_lanes(first + f, g.k,
                      {.valid = std::min(tile_columns, filters - f), .width = tile_columns, .reduction = pixels},
                      panels + f * pixels);
  }
  return {panels, filters, tile_columns};
}

/// The rows of some rows of taps.
void transpose(const Geometry& g, Range taps, const float* dw_transposed, float* dw) noexcept {
  const std::int64_t rows = dw_rows(g), of_taps = g.kw * g.group_c;
  for (std::int64_t row = taps.begin * of_taps; row < taps.end * of_taps; ++row) {
    for (std::int64_t k = 0; k < g.k; ++k) dw[row * g.k + k] = dw_transposed[k * rows + row];
  }
}

class OuterProductExecutable final : public Executable {
 public:
  OuterProductExecutable(const Geometry& g, const PrepareOptions& options) noexcept
      : g_(g),
        blocks_(OuterBlocks::of(g, *options.kernels, options.parts)),
        division_(OuterDivision::of(g, blocks_, options.parts)),
        filters_at_once_(filters_at_once(g, blocks_)),
        line_blocks_(ceil_div(g.oh, blocks_.lines)),
        image_blocks_(ceil_div(g.n, blocks_.images)) {
    parts_ = division_.parts;
    divides_ = !blocks_.transposed || g.kh > 1;
    cost_ = division_.cost(g, blocks_, outer_cost(g, blocks_));

    std::int64_t panels = 0, columns = 0;  // of the part that needs most
    for (int i = 0; i < parts_; ++i) {
      const OuterPart part = division_.part(g, blocks_, {i, parts_});
      panels = std::max(panels, part.panels.size());
      columns = std::max(columns, part.columns());
    }
    x_ = own_.take(panel_floats(g, blocks_, panels));
    if (!blocks_.dy_in_place) {
      dy_ = own_.take(CheckedInt(blocks_.images) * blocks_.lines * g.ow * filters_at_once_);
    }
    // With one filter, dw equals its transpose.
    if (blocks_.transposed && g.k > 1) dw_transposed_ = own_.take(g.w_size);
    if (division_.by_columns()) dw_ = own_.take(dw_rows(g) * columns);
  }

  bool run(const Operands& o, Part part, const Memory& memory, const ProgressHook& progress) const noexcept override {
    const Geometry& g = g_;
    if (g.n == 0) {
      if (part.index == 0) std::fill_n(o.out, g.w_size, 0.0F);
      return true;
    }
    const OuterPart mine = division_.part(g, blocks_, part);
    const std::int64_t first_column = mine.first_column(g);
    const bool own_columns = kThreads && division_.by_columns();
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
          b = load_block(g, blocks_, o.x, {n, std::min(n + blocks_.images, g.n)},
                         {i, std::min(i + blocks_.lines, g.oh)}, group, mine, x_.in(memory.own));
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
    if (blocks_.transposed && g.k > 1) transpose(g, mine.taps, dw_transposed, o.out);
    if (own_columns) {
      for (std::int64_t row = 0; row < dw_rows(g); ++row) {
        std::copy_n(dw.data + row * dw.pitch, dw.pitch, o.out + row * g.k + first_column);
      }
    }
    return finished;
  }

 private:
  Geometry g_;
  OuterBlocks blocks_;
  OuterDivision division_;
  std::int64_t filters_at_once_ = 0;  ///< filters with panels of dy that are packed together
  std::int64_t line_blocks_ = 0, image_blocks_ = 0;
  Offset x_, dy_;         ///< packed panels
  Offset dw_transposed_;  ///< of all rows
  Offset dw_;             ///< a part's columns
};

}  // namespace

ExecutablePointer prepare_outer_product(const Geometry& g, Pass, const PrepareOptions& options) {
  return std::make_unique<OuterProductExecutable>(g, options);
}

}  // namespace conv2d::engine
