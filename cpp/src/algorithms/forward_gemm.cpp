#include "algorithms/forward_gemm.hpp"

#include <algorithm>

#include "algorithms/group_blocks.hpp"
#include "algorithms/loops.hpp"
#include "gemm/gemm.hpp"
#include "gemm/workspace.hpp"
#include "transforms/im2col.hpp"
#include "transforms/weight_panels.hpp"

namespace conv2d::algorithm {
namespace {

/// Columns of x_col.
std::int64_t columns_of(const Geometry& g) noexcept { return g.kh * g.kw * g.group_c; }

std::int64_t positions_of(const Geometry& g) noexcept { return g.n * g.oh * g.ow; }

/// With few positions, w is what moves: each piece of its depth is packed when its turn comes and used at once, out of
/// the cache, rather than all of it packed first and fetched again (7 x 7 x 512 -> 512, 3 x 3: 9 MB of weights).
bool streams_weights(const Geometry& g) noexcept { return positions_of(g) <= 4 * gemm::preferred_rows(); }

/// Output positions done at a time; their rows of x_col are one block of A.
std::int64_t block_positions(const Geometry& g) noexcept {
  return streams_weights(g) ? std::max<std::int64_t>(1, positions_of(g)) : gemm::preferred_rows();
}

/// Depth of w_col that is packed at a time. With a bias the whole is one more than the columns.
std::int64_t packed_depth(const Geometry& g, std::int64_t depth) noexcept {
  return streams_weights(g) ? gemm::preferred_depth(depth) : depth;
}

CheckedInt packed_weights_floats(const Geometry& g) noexcept {
  const std::int64_t columns = columns_of(g);
  return gemm::packed_b_floats(g.group_k, std::max(packed_depth(g, columns), packed_depth(g, columns + 1)));
}

}  // namespace

std::int64_t forward_gemm_workspace(const Geometry& g) noexcept {
  // A plan does not know yet whether there will be a bias.
  return gemm::WorkspaceSize()
      .add(packed_weights_floats(g))
      .add(gemm::packed_a_floats())
      .add(CheckedInt(block_positions(g)) * columns_of(g))
      .floats();
}

double forward_gemm_cost(const Geometry& g, ColumnOrder order) noexcept {
  const auto columns = static_cast<double>(columns_of(g));
  const auto taps = static_cast<double>(g.kh * g.kw);
  // Cycles per output position, measured on a Zen 3 core with 1 to 512 channels.
  const double im2col_cycles = order == ColumnOrder::kh_kw_c ? 12.0 * taps + 0.5 * columns : 7.0 * taps + 1.0 * columns;
  const double lower = im2col_cycles + 5.0 + 1.2 * columns;
  const double weights = 2.5 * static_cast<double>(g.group_k) * columns;
  const double per_group = 1.2 * gemm::cost(positions_of(g), g.group_k, columns_of(g)) + weights +
                           lower * static_cast<double>(positions_of(g));
  return static_cast<double>(g.groups) * per_group;
}

double forward_gemm_error_bound(const Geometry& g) noexcept { return sum_error_bound(columns_of(g) + 1); }

bool run_forward_gemm(const Geometry& g, const Operands& o, ColumnOrder order, float* workspace,
                      const ProgressHook& progress) noexcept {
  const std::int64_t columns = columns_of(g);
  const std::int64_t depth = columns + (o.b ? 1 : 0);
  const std::int64_t positions = positions_of(g);
  const std::int64_t block = block_positions(g);
  const std::int64_t piece = packed_depth(g, depth);
  gemm::Workspace scratch(workspace);
  float* packed_b = scratch.take(packed_weights_floats(g).value());
  float* packed_a = scratch.take(gemm::packed_a_floats());
  float* x_col = scratch.take(block * columns);

  gemm::PackedB b;
  const auto pack_weights = [&](std::int64_t group, std::int64_t depth_first) {
    const WeightDepth w_col{.g = &g, .w = o.w, .group = group, .order = order};
    const LeadingStep biased{.inner = w_col.source(), .values = o.b ? o.b + group * g.group_k : nullptr};
    const std::int64_t count = std::min(piece, depth - depth_first);
    b = gemm::pack_b(o.b ? biased.source() : w_col.source(), g.group_k, depth_first, count, packed_b);
  };
  const auto start = [&](std::int64_t group) {
    if (!streams_weights(g)) pack_weights(group, 0);
  };
  const auto multiply = [&](const GroupBlock& rows) {
    im2col(g, {.group = rows.group, .first = rows.first, .count = rows.count, .order = order}, o.x, x_col);
    const DenseLanes lowered{.data = x_col, .row_stride = columns};
    const LeadingStep with_ones{.inner = lowered.source()};
    for (std::int64_t first = 0; first < depth; first += piece) {
      if (streams_weights(g)) pack_weights(rows.group, first);
      gemm::multiply({.a = o.b ? with_ones.source() : lowered.source(),
                      .rows = rows.count,
                      .depth_first = first,
                      .b = b,
                      .c = o.out + rows.first * g.k + rows.group * g.group_k,
                      .row_stride = g.k,
                      .accumulate = first > 0},
                     packed_a);
    }
  };
  const GroupBlocks blocks{
      .groups = g.groups, .positions = positions, .block = block, .macs_per_position = columns * g.group_k};
  return for_each_block(blocks, progress, start, multiply);
}

}  // namespace conv2d::algorithm
