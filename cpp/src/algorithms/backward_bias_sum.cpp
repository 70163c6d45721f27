#include <algorithm>

#include "algorithms/loop_kernels.hpp"
#include "micro_kernels/kernel_set.hpp"

namespace conv2d::algorithm {
namespace {

// Narrow rows are summed several at a time, as one row of about this many floats: four of the widest registers.
constexpr std::int64_t kWideRow = 64;
// Registers that the kernel sums at once. It reads a row of so many floats in order, and a longer one in several passes
// (128x28x28x16 in Chromium: 1.5 times the time).
constexpr std::int64_t kAtOnce = 4;
// Rows that are summed in one chain. Adding the sums of chains keeps the rounding error small for any number of rows.
constexpr std::int64_t kChain = 256;

/// Rows that are summed as one wide row: fewer where only a few wide rows would remain.
std::int64_t rows_per_wide_row(std::int64_t lanes, std::int64_t columns, std::int64_t count) {
  const std::int64_t in_order = kAtOnce * lanes;
  std::int64_t rows = std::max<std::int64_t>(1, (in_order % columns == 0 ? in_order : kWideRow) / columns);
  while (rows > 1 && rows * 4 > count) rows /= 2;
  return rows;
}

/// out[c] += sum over the rows of rows[r * columns + c]. `wide` holds max(columns, kWideRow) floats.
void add_column_sums(const KernelSet& kernels, const float* rows, std::int64_t count, std::int64_t columns, float* wide,
                     float* out) noexcept {
  const std::int64_t fold = rows_per_wide_row(kernels.lanes, columns, count);
  for (std::int64_t first = 0; first < count; first += fold * kChain) {
    const std::int64_t in_chain = std::min(count - first, fold * kChain);
    const float* from = rows + first * columns;
    kernels.row_sum(
        {.rows = from, .count = in_chain / fold, .row_stride = fold * columns, .columns = fold * columns, .out = wide});
    for (std::int64_t r = 0; r < fold; ++r) {
      for (std::int64_t c = 0; c < columns; ++c) out[c] += wide[r * columns + c];
    }
    for (std::int64_t r = in_chain / fold * fold; r < in_chain; ++r) {
      for (std::int64_t c = 0; c < columns; ++c) out[c] += from[r * columns + c];
    }
  }
}

class ColumnSums final : public engine::Executable {
 public:
  ColumnSums(const Geometry& g, const PrepareOptions& options) : g_(g), kernels_(*options.kernels) {
    wide_ = own_.take(std::max(g.k, kWideRow));
    const cost::Loops& c = kernels_.costs->loops;
    cost_ = c.bias_float * static_cast<double>(g.y_size) + c.bias_filter * static_cast<double>(g.k);
  }

  bool run(const Operands& o, Part, const engine::Memory& memory,
           const ProgressHook& progress) const noexcept override {
    float* const wide = wide_.in(memory.own);
    const std::int64_t pixels = g_.oh * g_.ow;
    std::fill_n(o.out, g_.k, 0.0F);
    if (g_.layout == Layout::nchw) {
      return engine::in_chunks(g_.n * g_.k, pixels, progress, [&](Range planes) {
        for (std::int64_t plane = planes.begin; plane < planes.end; ++plane) {
          add_column_sums(kernels_, o.dy + plane * pixels, pixels, 1, wide, o.out + plane % g_.k);
        }
      });
    }
    return engine::in_chunks(g_.n * pixels, g_.k, progress, [&](Range rows) {
      add_column_sums(kernels_, o.dy + rows.begin * g_.k, rows.size(), g_.k, wide, o.out);
    });
  }

 private:
  Geometry g_;
  const KernelSet& kernels_;
  Offset wide_;
};

}  // namespace

double backward_bias_sum_error_bound(const Geometry& g, Pass) {
  const std::int64_t pixels = g.oh * g.ow;
  const CheckedInt chains = CheckedInt(g.n) * (pixels / kChain + 1);
  const std::int64_t all = g.n * pixels;
  return sum_error_bound(std::min(all, (chains * 2 * kWideRow + kChain).value_or(all)));
}

ExecutablePointer prepare_backward_bias_sum(const Geometry& g, Pass, const PrepareOptions& options) {
  return std::make_unique<ColumnSums>(g, options);
}

}  // namespace conv2d::algorithm
