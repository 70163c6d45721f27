#include "algorithms/forward_gemm.hpp"

#include <algorithm>

#include "algorithms/group_blocks.hpp"
#include "algorithms/loops.hpp"
#include "gemm/gemm.hpp"
#include "gemm/workspace.hpp"
#include "transforms/im2col.hpp"
#include "transforms/weight_panels.hpp"
#include "transforms/window_panels.hpp"

namespace conv2d::algorithm {
namespace {

/// Columns of x_col.
std::int64_t columns_of(const Geometry& g) noexcept { return g.kh * g.kw * g.group_c; }

std::int64_t positions_of(const Geometry& g) noexcept { return g.n * g.oh * g.ow; }

/// Output positions done at a time; their rows of x_col are one block of A.
std::int64_t block_positions(const Geometry& g) noexcept { return std::min(gemm::preferred_rows(), positions_of(g)); }

}  // namespace

std::int64_t forward_gemm_workspace(const Geometry& g, Lowering lowering) noexcept {
  gemm::WorkspaceSize size;
  // With a bias the depth is one more; a plan does not know yet whether there will be one.
  size.add(gemm::packed_b_floats(g.group_k, CheckedInt(columns_of(g)) + 1)).add(gemm::packed_a_floats());
  if (lowering == Lowering::stored) size.add(CheckedInt(block_positions(g)) * columns_of(g));
  return size.floats();
}

double forward_gemm_cost(const Geometry& g, Lowering lowering) noexcept {
  const auto positions = static_cast<double>(positions_of(g));
  const auto columns = static_cast<double>(columns_of(g));
  const auto groups = static_cast<double>(g.groups);
  const auto filters = static_cast<double>(g.group_k);
  constexpr double kCyclesPerCopiedFloat = 0.5;
  const double copies = lowering == Lowering::stored ? kCyclesPerCopiedFloat * positions * columns : 0.0;
  return groups * (gemm::cost(positions, filters, columns) + filters * columns + copies);
}

double forward_gemm_error_bound(const Geometry& g) noexcept { return sum_error_bound(columns_of(g) + 1); }

bool run_forward_gemm(const Geometry& g, const Operands& o, Lowering lowering, ColumnOrder order, float* workspace,
                      const ProgressHook& progress) noexcept {
  const std::int64_t columns = columns_of(g);
  const std::int64_t depth = columns + (o.b ? 1 : 0);
  const std::int64_t positions = positions_of(g);
  const std::int64_t block = std::max<std::int64_t>(1, block_positions(g));
  gemm::Workspace scratch(workspace);
  float* packed_b = scratch.take(gemm::packed_b_floats(g.group_k, columns + 1).value());
  float* packed_a = scratch.take(gemm::packed_a_floats());
  float* x_col = lowering == Lowering::stored ? scratch.take(block * columns) : nullptr;

  gemm::PackedB b;
  const auto start = [&](std::int64_t group) {
    const WeightDepth w_col{.g = &g, .w = o.w, .group = group, .order = order};
    const LeadingStep biased{.inner = w_col.source(), .values = o.b ? o.b + group * g.group_k : nullptr};
    b = gemm::pack_b(o.b ? biased.source() : w_col.source(), g.group_k, 0, depth, packed_b);
  };
  const auto multiply = [&](const GroupBlock& rows) {
    const WindowLanes windows{.g = &g, .x = o.x, .group = rows.group};
    const DenseLanes stored{.data = x_col, .row_stride = columns};
    if (x_col) im2col(g, {.group = rows.group, .first = rows.first, .count = rows.count, .order = order}, o.x, x_col);
    const PanelSource a = x_col ? stored.source() : windows.source();
    const LeadingStep with_ones{.inner = a};
    gemm::multiply({.a = o.b ? with_ones.source() : a,
                    .first_row = x_col ? 0 : rows.first,
                    .rows = rows.count,
                    .b = b,
                    .c = o.out + rows.first * g.k + rows.group * g.group_k,
                    .row_stride = g.k},
                   packed_a);
  };
  const GroupBlocks blocks{
      .groups = g.groups, .positions = positions, .block = block, .macs_per_position = columns * g.group_k};
  return for_each_block(blocks, progress, start, multiply);
}

}  // namespace conv2d::algorithm
