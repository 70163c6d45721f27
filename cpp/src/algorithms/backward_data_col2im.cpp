#include <algorithm>

#include "algorithms/entry.hpp"
#include "algorithms/group_blocks.hpp"
#include "algorithms/loops.hpp"
#include "gemm/gemm.hpp"
#include "gemm/workspace.hpp"
#include "transforms/im2col.hpp"
#include "transforms/panels.hpp"

namespace conv2d::algorithm {
namespace {

std::int64_t columns_of(const Geometry& g) { return g.kh * g.kw * g.group_c; }
std::int64_t positions_of(const Geometry& g) { return g.n * g.oh * g.ow; }

/// Output positions done at a time: dx_col is never larger than this many rows.
std::int64_t block_positions(const Geometry& g) {
  return std::max<std::int64_t>(1, std::min(gemm::preferred_rows(), positions_of(g)));
}

std::int64_t workspace_floats(const Geometry& g) {
  return gemm::WorkspaceSize()
      .add(gemm::packed_b_floats(columns_of(g), g.group_k))
      .add(gemm::packed_a_floats())
      .add(CheckedInt(block_positions(g)) * columns_of(g))
      .floats();
}

double cost(const Geometry& g) {
  const auto columns = static_cast<double>(columns_of(g));
  const auto filters = static_cast<double>(g.group_k);
  // Cycles per output position, measured on a Zen 3 core with 1 to 512 channels.
  const double pack_dy = 5.0 + 1.2 * filters;
  const double fold = 11.0 * static_cast<double>(g.kh * g.kw) + 0.5 * columns;
  const double per_group = 1.2 * gemm::cost(positions_of(g), columns_of(g), g.group_k) + 2.5 * filters * columns +
                           (pack_dy + fold) * static_cast<double>(positions_of(g));
  return static_cast<double>(g.groups) * per_group + 0.25 * static_cast<double>(g.x_size);
}

/// A cell of dx_col sums over the group's filters; a cell of dx adds up to kh * kw of them.
double error_bound(const Geometry& g) { return sum_error_bound(g.group_k + g.kh * g.kw); }

bool run(const Geometry& g, const Operands& o, float* workspace, const ProgressHook& progress) noexcept {
  const std::int64_t columns = columns_of(g);
  const std::int64_t positions = positions_of(g);
  const std::int64_t block = block_positions(g);
  gemm::Workspace scratch(workspace);
  float* packed_b = scratch.take(gemm::packed_b_floats(columns, g.group_k).value());
  float* packed_a = scratch.take(gemm::packed_a_floats());
  float* dx_col = scratch.take(block * columns);

  std::fill_n(o.out, g.x_size, 0.0F);
  gemm::PackedB b;
  const auto start = [&](std::int64_t group) {
    // HWIO weights hold w_col with its rows k apart: read along the rows, they are w_col^T.
    const DenseLanes w_col_transposed{.data = o.w + group * g.group_k, .row_stride = g.k};
    b = gemm::pack_b(w_col_transposed.source(), columns, 0, g.group_k, packed_b);
  };
  const auto multiply_and_fold = [&](const GroupBlock& rows) {
    const DenseLanes dy_col{.data = o.dy + rows.group * g.group_k, .row_stride = g.k};
    gemm::multiply(
        {.a = dy_col.source(), .first_row = rows.first, .rows = rows.count, .b = b, .c = dx_col, .row_stride = columns},
        packed_a);
    col2im_add(g, {.group = rows.group, .first = rows.first, .count = rows.count}, dx_col, o.out);
  };
  const GroupBlocks blocks{
      .groups = g.groups, .positions = positions, .block = block, .macs_per_position = columns * g.group_k};
  return for_each_block(blocks, progress, start, multiply_and_fold);
}

}  // namespace

extern const Entry backward_data_col2im = {
    .name = "col2im",
    .pass = Pass::backward_data,
    .description =
        "dx_col = dy_col . w_col^T, then col2im: every copy that im2col made of a cell brings its gradient "
        "home, and they are added.",
    .layouts = Layouts::nhwc_only,
    .why_not = always_supported,
    .workspace_floats = workspace_floats,
    .cost = cost,
    .error_bound = error_bound,
    .run = run,
};

}  // namespace conv2d::algorithm
