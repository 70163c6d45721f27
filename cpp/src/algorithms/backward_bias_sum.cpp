#include <algorithm>

#include "algorithms/entry.hpp"
#include "algorithms/loops.hpp"
#include "base/checked.hpp"
#include "gemm/workspace.hpp"
#include "micro_kernels/kernel_set.hpp"

namespace conv2d::algorithm {
namespace {

// Narrow rows are summed several at a time, as one row of about this many floats: four of the widest registers.
constexpr std::int64_t kWideRow = 64;
// Rows summed in one chain. Sums of such sums keep the rounding error small, whatever the number of rows.
constexpr std::int64_t kChain = 256;

/// Rows that are summed as one wide row: fewer where only a few wide rows would be left to sum.
std::int64_t rows_per_wide_row(std::int64_t columns, std::int64_t count) {
  std::int64_t rows = std::max<std::int64_t>(1, kWideRow / columns);
  while (rows > 1 && rows * 4 > count) rows /= 2;
  return rows;
}

/// out[c] += sum over the rows of rows[r * columns + c]. `wide` holds max(columns, kWideRow) floats.
void add_column_sums(const float* rows, std::int64_t count, std::int64_t columns, float* wide, float* out) noexcept {
  const std::int64_t fold = rows_per_wide_row(columns, count);
  for (std::int64_t first = 0; first < count; first += fold * kChain) {
    const std::int64_t in_chain = std::min(count - first, fold * kChain);
    const float* from = rows + first * columns;
    micro_kernels::kernels().row_sum(
        {.rows = from, .count = in_chain / fold, .row_stride = fold * columns, .columns = fold * columns, .out = wide});
    for (std::int64_t r = 0; r < fold; ++r) {
      for (std::int64_t c = 0; c < columns; ++c) out[c] += wide[r * columns + c];
    }
    for (std::int64_t r = in_chain / fold * fold; r < in_chain; ++r) {
      for (std::int64_t c = 0; c < columns; ++c) out[c] += from[r * columns + c];
    }
  }
}

std::int64_t workspace_floats(const Geometry& g) { return gemm::WorkspaceSize().add(std::max(g.k, kWideRow)).floats(); }

double cost(const Geometry& g) { return 0.3 * static_cast<double>(g.y_size) + 20.0 * static_cast<double>(g.k); }

double error_bound(const Geometry& g) {
  const std::int64_t pixels = g.oh * g.ow;
  const CheckedInt chains = CheckedInt(g.n) * (pixels / kChain + 1);
  const std::int64_t all = g.n * pixels;
  return sum_error_bound(std::min(all, (chains * 2 * kWideRow + kChain).value_or(all)));
}

bool run(const Geometry& g, const Operands& o, float* workspace, const ProgressHook& progress) noexcept {
  float* wide = gemm::Workspace(workspace).take(std::max(g.k, kWideRow));
  const std::int64_t pixels = g.oh * g.ow;
  std::fill_n(o.out, g.k, 0.0F);
  if (g.layout == Layout::nchw) {
    return in_portions(g.n * g.k, pixels, progress, [&](Range planes) {
      for (std::int64_t plane = planes.begin; plane < planes.end; ++plane) {
        add_column_sums(o.dy + plane * pixels, pixels, 1, wide, o.out + plane % g.k);
      }
    });
  }
  return in_portions(g.n * pixels, g.k, progress,
                     [&](Range rows) { add_column_sums(o.dy + rows.begin * g.k, rows.size(), g.k, wide, o.out); });
}

}  // namespace

extern const Entry backward_bias_sum = {
    .name = "sum",
    .pass = Pass::backward_bias,
    .description = "Sums dy over batch and positions, a register of filters (or of neighbouring pixels) at a time.",
    .layouts = Layouts::both,
    .why_not = always_supported,
    .workspace_floats = workspace_floats,
    .cost = cost,
    .error_bound = error_bound,
    .run = run,
};

}  // namespace conv2d::algorithm
