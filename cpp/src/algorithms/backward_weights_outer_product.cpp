#include <algorithm>

#include "algorithms/entry.hpp"
#include "algorithms/loops.hpp"
#include "algorithms/outer_shares.hpp"
#include "algorithms/outer_tiles.hpp"
#include "base/checked.hpp"
#include "gemm/workspace.hpp"
#include "micro_kernels/kernel_set.hpp"
#include "transforms/panels.hpp"

namespace conv2d::algorithm {
namespace {

using micro_kernels::KernelSet;

/// Filters whose panels of dy are ready together: their tiles follow each other. At least two panels, which write whole
/// cache lines of dw; with few pixels more, since then the time goes into writing dw, and whole pages of it are better.
std::int64_t filters_at_once(const Geometry& g, const OuterBlocks& blocks) noexcept {
  constexpr std::int64_t kDyFloats = 16384;  // a part of L2
  const std::int64_t panel = micro_kernels::kernels().tile_columns();
  const std::int64_t pixels = blocks.images * blocks.rows * g.ow;
  return panel * std::clamp<std::int64_t>(kDyFloats / (panel * pixels), 2,
                                          std::max<std::int64_t>(2, ceil_div(g.group_k, panel)));
}

/// The panels of `dy.filters` filters from `filter` on: pixels x a tile's columns each, the last one filled up with
/// zeros.
DyColumns pack_dy(const Geometry& g, const OuterBlock& b, const float* dy, std::int64_t filter, std::int64_t filters,
                  float* panels) noexcept {
  const KernelSet& k = micro_kernels::kernels();
  const std::int64_t pixels = b.pixels(g);
  const DenseDepth source{.data = dy + b.first_pixel(g) * g.k + b.group * g.group_k, .row_stride = g.k};
  for (std::int64_t f = 0; f < filters; f += k.tile_columns()) {
    source.source()({.first = filter + f,
                     .valid = std::min<std::int64_t>(k.tile_columns(), filters - f),
                     .width = k.tile_columns(),
                     .depth = pixels},
                    panels + f * pixels);
  }
  return {panels, filters, k.tile_columns()};
}

/// What the workspace holds.
struct Scratch {
  float* x = nullptr;
  float* dy = nullptr;
  float* dw_transposed = nullptr;
  float* dw = nullptr;  ///< the columns of a share
};

std::int64_t dy_floats(const Geometry& g, const OuterBlocks& blocks) noexcept {
  if (blocks.dy_in_place) return 0;
  return blocks.images * blocks.rows * g.ow * filters_at_once(g, blocks);
}

/// One filter's dw is its own transpose.
std::int64_t transposed_floats(const Geometry& g, const OuterBlocks& blocks) noexcept {
  return blocks.filters_are_rows && g.k > 1 ? g.w_size : 0;
}

std::int64_t dw_floats(const Geometry& g, const OuterShare& share) noexcept {
  return share.shares_rows() ? outer_rows(g) * share.columns() : 0;
}

/// Of the neediest of `shares` shares: the last one has the most tiles of filters, but its last tile may be narrow.
std::int64_t share_floats(const Geometry& g, int shares) {
  const OuterBlocks blocks = outer_blocks(g);
  const std::int64_t panels = panel_floats(g, blocks);
  if (panels < 0) return -1;
  std::int64_t dw = 0;
  for (int i = 0; i < shares; ++i) dw = std::max(dw, dw_floats(g, outer_share(g, blocks, {i, shares})));
  return gemm::WorkspaceSize().add(panels).add(dy_floats(g, blocks)).add(transposed_floats(g, blocks)).add(dw).floats();
}

std::int64_t workspace_floats(const Geometry& g) { return share_floats(g, 1); }

OuterBlock load_block(const Geometry& g, const OuterBlocks& blocks, const float* x, Range images, Range lines,
                      std::int64_t group, Range channels, float* panels) noexcept {
  OuterBlock b{
      .images = images, .lines = lines, .panels = channels, .group = group, .rows = stored_rows(g, blocks, lines)};
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
    pack_x_panels(g, blocks, x, group, channels, images, b.rows, panels);
  }
  return b;
}

void transpose(const Geometry& g, const float* dw_transposed, float* dw) noexcept {
  const std::int64_t rows = outer_rows(g);
  for (std::int64_t row = 0; row < rows; ++row) {
    for (std::int64_t k = 0; k < g.k; ++k) dw[row * g.k + k] = dw_transposed[k * rows + row];
  }
}

double error_bound(const Geometry& g) { return sum_error_bound(g.n * g.oh * g.ow); }

bool run(const Geometry& g, const Operands& o, float* workspace, const ProgressHook& progress) noexcept {
  const OuterBlocks blocks = outer_blocks(g);
  gemm::Workspace memory(workspace);
  const OuterShare mine = outer_share(g, blocks, o.share);
  Scratch scratch{.x = memory.take(std::max<std::int64_t>(0, panel_floats(g, blocks))),
                  .dy = memory.take(dy_floats(g, blocks)),
                  .dw_transposed = memory.take(transposed_floats(g, blocks)),
                  .dw = memory.take(dw_floats(g, mine))};
  if (g.k == 1) scratch.dw_transposed = o.out;
  if (g.n == 0) {
    if (o.share.index == 0) std::fill_n(o.out, g.w_size, 0.0F);
    return true;
  }

  const std::int64_t line_blocks = ceil_div(g.oh, blocks.rows);
  const std::int64_t image_blocks = ceil_div(g.n, blocks.images);
  const std::int64_t filters_per_step = blocks.filters_are_rows ? g.group_k : filters_at_once(g, blocks);
  const std::int64_t filter_steps = ceil_div(mine.filters.size(), filters_per_step);
  const std::int64_t steps = image_blocks * line_blocks * mine.groups.size() * filter_steps;
  const DwColumns dw =
      mine.shares_rows() ? DwColumns{scratch.dw, mine.columns()} : DwColumns{o.out + mine.first_column(g), g.k};
  const std::int64_t macs = outer_rows(g) * filters_per_step * blocks.images * blocks.rows * g.ow;
  OuterBlock b;
  const bool finished = in_portions(steps, macs, progress, [&](Range portion) {
    for (std::int64_t t = portion.begin; t < portion.end; ++t) {
      const std::int64_t filter = mine.filters.begin + t % filter_steps * filters_per_step;
      const std::int64_t group = mine.groups.begin + t / filter_steps % mine.groups.size();
      const std::int64_t block = t / filter_steps / mine.groups.size();
      if (filter == mine.filters.begin) {
        const std::int64_t n = block / line_blocks * blocks.images;
        const std::int64_t i = block % line_blocks * blocks.rows;
        b = load_block(g, blocks, o.x, {n, std::min(n + blocks.images, g.n)}, {i, std::min(i + blocks.rows, g.oh)},
                       group, mine.panels, scratch.x);
      }
      const std::int64_t filters = std::min(filters_per_step, mine.filters.end - filter);
      const std::int64_t first_k = group * g.group_k + filter;
      const DyColumns dy = blocks.dy_in_place ? DyColumns{o.dy + b.first_pixel(g) * g.k + first_k, filters, g.k}
                                              : pack_dy(g, b, o.dy, filter, filters, scratch.dy);
      if (blocks.filters_are_rows) {
        multiply_filters(g, blocks, b, dy, scratch.dw_transposed + first_k * outer_rows(g), block > 0);
      } else {
        multiply_lanes(g, blocks, b, dy, {dw.data + first_k - mine.first_column(g), dw.pitch}, block > 0);
      }
    }
  });
  if (blocks.filters_are_rows && g.k > 1) transpose(g, scratch.dw_transposed, o.out);
  if (mine.shares_rows()) {
    for (std::int64_t row = 0; row < outer_rows(g); ++row) {
      std::copy_n(scratch.dw + row * dw.pitch, dw.pitch, o.out + row * g.k + mine.first_column(g));
    }
  }
  return finished;
}

}  // namespace

extern const Entry backward_weights_outer_product = {
    .name = "outer_product",
    .pass = Pass::backward_weights,
    .description =
        "Every pixel adds the outer product of its window and its dy; a block of dw stays in registers while the "
        "pixels of a tap pass by.",
    .layouts = Layouts::nhwc_only,
    .why_not = always_supported,
    .workspace_floats = workspace_floats,
    .cost = [](const Geometry& g) { return outer_cost(g); },
    .error_bound = error_bound,
    .division = divided({.shares = outer_share_count, .workspace_floats = share_floats}),
    .run = run,
};

}  // namespace conv2d::algorithm
