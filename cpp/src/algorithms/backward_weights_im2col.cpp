#include <algorithm>

#include "algorithms/entry.hpp"
#include "algorithms/group_blocks.hpp"
#include "algorithms/loops.hpp"
#include "gemm/gemm.hpp"
#include "gemm/workspace.hpp"
#include "micro_kernels/kernel_set.hpp"
#include "transforms/panels.hpp"
#include "transforms/window_panels.hpp"

namespace conv2d::algorithm {
namespace {

std::int64_t columns_of(const Geometry& g) { return g.kh * g.kw * g.group_c; }
std::int64_t positions_of(const Geometry& g) { return g.n * g.oh * g.ow; }

std::int64_t workspace_floats(const Geometry& g) {
  return gemm::WorkspaceSize()
      .add(gemm::packed_b_floats(g.group_k, gemm::preferred_depth(positions_of(g))))
      .add(gemm::packed_a_floats())
      .floats();
}

double cost(const Geometry& g) {
  const auto columns = static_cast<double>(columns_of(g));
  const auto filters = static_cast<double>(g.group_k);
  const auto positions = static_cast<double>(positions_of(g));
  // Cycles, measured on a Zen 3 core: packing copies up to a tile's lanes at a time, but never across taps, and a row
  // of output at a time.
  const double pieces =
      columns / static_cast<double>(micro_kernels::kernels().tile_rows) + static_cast<double>(g.kh * g.kw);
  const double pack_x = pieces * static_cast<double>(g.n * g.oh) * (60.0 + 2.0 * static_cast<double>(g.ow));
  const double pack_dy = (2.0 + 0.4 * filters) * positions;
  // Every block of depth reads and writes dw once.
  const double blocks = positions / static_cast<double>(gemm::preferred_depth(positions_of(g))) + 1.0;
  const double per_group =
      gemm::cost(columns_of(g), g.group_k, positions_of(g)) + pack_x + pack_dy + 0.5 * blocks * columns * filters;
  return static_cast<double>(g.groups) * per_group;
}

double error_bound(const Geometry& g) { return sum_error_bound(positions_of(g)); }

/// Tiles down dw_col.
std::int64_t row_tiles(const Geometry& g) {
  const std::int64_t tile = micro_kernels::kernels().tile_rows;
  return (columns_of(g) + tile - 1) / tile;
}

/// The rows of dw_col of a share: whole tiles of them, so that only dy is packed by every share.
Range rows_of(const Geometry& g, Share share) noexcept {
  const std::int64_t tile = micro_kernels::kernels().tile_rows;
  const Range tiles = share.of(row_tiles(g));
  return {tiles.begin * tile, std::min(tiles.end * tile, columns_of(g))};
}

int shares(const Geometry& g, int most) { return static_cast<int>(std::min<std::int64_t>(most, row_tiles(g))); }

bool run(const Geometry& g, const Operands& o, float* workspace, const ProgressHook& progress) noexcept {
  const std::int64_t positions = positions_of(g);
  gemm::Workspace scratch(workspace);
  float* packed_b = scratch.take(gemm::packed_b_floats(g.group_k, gemm::preferred_depth(positions_of(g))).value());
  float* packed_a = scratch.take(gemm::packed_a_floats());

  if (positions == 0 && o.share.index == 0) std::fill_n(o.out, g.w_size, 0.0F);
  const Range rows = rows_of(g, o.share);
  const auto nothing_to_start = [](std::int64_t) {};
  const auto multiply = [&](const GroupBlock& depth) {
    const std::int64_t first = depth.group * g.group_k;
    const DenseDepth dy_col{.data = o.dy + first, .row_stride = g.k};
    const WindowDepth x_col_transposed{.g = &g, .x = o.x, .group = depth.group};
    gemm::multiply({.a = x_col_transposed.source(),
                    .first_row = rows.begin,
                    .rows = rows.size(),
                    .depth_first = depth.first,
                    .b = gemm::pack_b(dy_col.source(), g.group_k, depth.first, depth.count, packed_b),
                    .c = o.out + rows.begin * g.k + first,
                    .row_stride = g.k,
                    .accumulate = depth.first > 0},
                   packed_a);
  };
  const GroupBlocks blocks{.groups = g.groups,
                           .positions = positions,
                           .block = gemm::preferred_depth(positions_of(g)),
                           .macs_per_position = rows.size() * g.group_k};
  return for_each_block(blocks, progress, nothing_to_start, multiply);
}

}  // namespace

extern const Entry backward_weights_im2col = {
    .name = "im2col_gemm",
    .pass = Pass::backward_weights,
    .description =
        "dw_col = x_col^T . dy_col, summed over blocks of output positions; the rows of x_col are packed "
        "straight from the image.",
    .layouts = Layouts::nhwc_only,
    .why_not = always_supported,
    .workspace_floats = workspace_floats,
    .cost = cost,
    .error_bound = error_bound,
    .division = divided({.shares = shares}),
    .run = run,
};

}  // namespace conv2d::algorithm
