#include <algorithm>

#include "algorithms/entry.hpp"
#include "algorithms/group_blocks.hpp"
#include "algorithms/loops.hpp"
#include "gemm/gemm.hpp"
#include "gemm/window_product.hpp"
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

// Cycles, measured on a Zen 3 core: packing x copies up to a tile's lanes at a time, but never across taps, and a row
// of output at a time.
double pack_x_cycles(const Geometry& g) {
  const double pieces =
      static_cast<double>(columns_of(g)) / micro_kernels::kernels().tile_rows + static_cast<double>(g.kh * g.kw);
  return pieces * static_cast<double>(g.n * g.oh) * (60.0 + 2.0 * static_cast<double>(g.ow));
}

double pack_dy_cycles(const Geometry& g) {
  return (2.0 + 0.4 * static_cast<double>(g.group_k)) * static_cast<double>(positions_of(g));
}

double cost(const Geometry& g) {
  const auto positions = static_cast<double>(positions_of(g));
  // Every block of depth reads and writes dw once.
  const double blocks = positions / static_cast<double>(gemm::preferred_depth(positions_of(g))) + 1.0;
  const double dw = static_cast<double>(columns_of(g)) * static_cast<double>(g.group_k);
  const double per_group =
      gemm::cost(columns_of(g), g.group_k, positions_of(g)) + pack_x_cycles(g) + pack_dy_cycles(g) + 0.5 * blocks * dw;
  return static_cast<double>(g.groups) * per_group;
}

double error_bound(const Geometry& g) { return sum_error_bound(positions_of(g)); }

/// What a share makes of every group's dw_col: some of its rows, for which all shares pack all of dy, or some of its
/// columns, for which they pack all of x.
struct Part {
  Range rows, columns;
};

/// A share's part of `count` rows or columns: whole tiles.
Range tiles_of(Share share, std::int64_t count, std::int64_t tile) noexcept {
  const Range tiles = share.of(ceil_div(count, tile));
  return {tiles.begin * tile, std::min(tiles.end * tile, count)};
}

/// Estimated cycles of a part.
double cycles(const Geometry& g, const Part& part) noexcept {
  const auto share = [](Range range, std::int64_t of) {
    return static_cast<double>(range.size()) / static_cast<double>(of);
  };
  return gemm::cost(part.rows.size(), part.columns.size(), positions_of(g)) +
         share(part.rows, columns_of(g)) * pack_x_cycles(g) + share(part.columns, g.group_k) * pack_dy_cycles(g);
}

Part part_of(const Geometry& g, Share share) noexcept {
  const Part whole{.rows = {0, columns_of(g)}, .columns = {0, g.group_k}};
  if (share.whole()) return whole;
  const auto part = [&](Share s, bool by_rows) {
    const auto& k = micro_kernels::kernels();
    return by_rows ? Part{tiles_of(s, columns_of(g), k.tile_rows), whole.columns}
                   : Part{whole.rows, tiles_of(s, g.group_k, k.tile_columns())};
  };
  const auto slowest = [&](bool by_rows) {
    double most = 0;
    for (int i = 0; i < share.count; ++i) most = std::max(most, cycles(g, part({i, share.count}, by_rows)));
    return most;
  };
  return part(share, slowest(true) <= slowest(false));
}

int shares(const Geometry& g, int most) {
  return static_cast<int>(std::min<std::int64_t>(most, ceil_div(columns_of(g), micro_kernels::kernels().tile_rows)));
}

bool run(const Geometry& g, const Operands& o, float* workspace, const ProgressHook& progress) noexcept {
  const std::int64_t positions = positions_of(g);
  gemm::Workspace scratch(workspace);
  float* packed_b = scratch.take(gemm::packed_b_floats(g.group_k, gemm::preferred_depth(positions_of(g))).value());
  float* packed_a = scratch.take(gemm::packed_a_floats());

  if (positions == 0 && o.share.index == 0) std::fill_n(o.out, g.w_size, 0.0F);
  const Part part = part_of(g, o.share);
  const Range rows = part.rows, columns = part.columns;
  const auto nothing_to_start = [](std::int64_t) {};
  const auto multiply = [&](const GroupBlock& depth) {
    const std::int64_t first = depth.group * g.group_k + columns.begin;
    const DenseDepth dy_col{.data = o.dy + first, .row_stride = g.k};
    const WindowDepth x_col_transposed{.g = &g, .x = o.x, .group = depth.group};
    gemm::multiply({.a = x_col_transposed.source(),
                    .first_row = rows.begin,
                    .rows = rows.size(),
                    .depth_first = depth.first,
                    .b = gemm::pack_b(dy_col.source(), columns.size(), depth.first, depth.count, packed_b),
                    .c = o.out + rows.begin * g.k + first,
                    .row_stride = g.k,
                    .accumulate = depth.first > 0},
                   packed_a);
  };
  const GroupBlocks blocks{.groups = g.groups,
                           .positions = positions,
                           .block = gemm::preferred_depth(positions_of(g)),
                           .macs_per_position = rows.size() * columns.size()};
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
