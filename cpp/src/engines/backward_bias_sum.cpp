#include <algorithm>

#include "cost/constants.hpp"
#include "engines/engines.hpp"
#include "engines/loops.hpp"
#include "micro_kernels/kernel_set.hpp"

namespace conv2d::engine {
namespace {

// Registers that the kernel sums at once. It reads a row of so many floats in order, and a longer one in several passes
// (128x28x28x16 in Chromium: 1.5 times the time).
constexpr std::int64_t kAtOnce = 4;

/// Rows that are summed as one wide row: fewer where only a few wide rows would remain.
std::int64_t rows_per_wide_row(std::int64_t lanes, std::int64_t columns, std::int64_t count) {
  const std::int64_t in_order = kAtOnce * lanes;
  std::int64_t rows = std::max<std::int64_t>(1, (in_order % columns == 0 ? in_order : kBiasRow) / columns);
  while (rows > 1 && rows * 4 > count) rows /= 2;
  return rows;
}

/// The column sums of a matrix of `count` rows: chain by chain, in an order that depends on the sizes only.
struct Chains {
  const KernelSet& kernels;
  std::int64_t count, columns;
  std::int64_t fold;  ///< rows of a wide row

  Chains(const KernelSet& set, std::int64_t rows, std::int64_t row_columns) noexcept
      : kernels(set), count(rows), columns(row_columns), fold(rows_per_wide_row(set.lanes, row_columns, rows)) {}

  [[nodiscard]] std::int64_t chains() const noexcept { return ceil_div(count, fold * kBiasChain); }
  /// Floats of the sums of a chain.
  [[nodiscard]] std::int64_t wide() const noexcept { return fold * columns; }
  [[nodiscard]] Range rows_of(std::int64_t chain) const noexcept {
    return {chain * fold * kBiasChain, std::min((chain + 1) * fold * kBiasChain, count)};
  }

  /// Writes the sums of the chain's wide rows.
  void sum(const float* matrix, std::int64_t chain, float* sums) const noexcept {
    const Range rows = rows_of(chain);
    kernels.row_sum({.rows = matrix + rows.begin * columns,
                     .count = rows.size() / fold,
                     .row_stride = wide(),
                     .columns = wide(),
                     .out = sums});
  }

  /// Adds them, and the rows that fill no wide row, to the columns of `out`.
  void add(const float* matrix, std::int64_t chain, const float* sums, float* out) const noexcept {
    const auto add_rows = [&](const float* first, std::int64_t rows) {
      for (std::int64_t r = 0; r < rows; ++r) {
        for (std::int64_t c = 0; c < columns; ++c) out[c] += first[r * columns + c];
      }
    };
    const Range rows = rows_of(chain);
    const std::int64_t rest = rows.size() % fold;
    add_rows(sums, fold);
    add_rows(matrix + (rows.end - rest) * columns, rest);
  }
};

/// NHWC: dy is one matrix of pixels and filters. Divided, its chains are summed by all threads, and then added by one.
/// NCHW: each plane is a matrix of one column, and parts have some of the filters.
class ColumnSums final : public Executable {
 public:
  ColumnSums(const Geometry& g, const PrepareOptions& options) noexcept
      : images_(g.layout == Layout::nchw ? g.n : 1),
        planes_(g.layout == Layout::nchw ? g.k : 1),
        chains_(*options.kernels, (g.layout == Layout::nchw ? 1 : g.n) * g.oh * g.ow, g.k / planes_) {
    const cost::Loops& c = options.kernels->costs->loops;
    const double summing = c.bias_float * static_cast<double>(g.y_size);
    parts_ = parts_of(planes_, options.parts);
    cost_ = largest_part(planes_, parts_) * c.bias_filter * static_cast<double>(g.k);
    if (kThreads && options.parts > 1 && g.layout == Layout::nhwc && chains_.chains() > 1) {
      shares_ = parts_of(chains_.chains(), options.parts);
      sums_ = common_.take(CheckedInt(chains_.chains()) * chains_.wide());
      common_cost_ = summing;
      cost_ += c.bias_float * static_cast<double>(chains_.chains() * chains_.wide());
    } else {
      sums_ = own_.take(chains_.wide());
      cost_ += largest_part(planes_, parts_) * summing;
    }
  }

  void fill_common(const Operands& o, Part share, const Memory& memory) const noexcept override {
    if (!kThreads) return;
    const Range mine = share.of(chains_.chains());
    for (std::int64_t t = mine.begin; t < mine.end; ++t) {
      chains_.sum(o.dy, t, sums_.in(memory.common) + t * chains_.wide());
    }
  }

  bool run(const Operands& o, Part part, const Memory& memory, const ProgressHook& progress) const noexcept override {
    const Range planes = part.of(planes_);
    std::fill_n(o.out + planes.begin * chains_.columns, planes.size() * chains_.columns, 0.0F);
    const std::int64_t steps = images_ * planes.size() * chains_.chains();
    return in_chunks(steps, chains_.wide() * kBiasChain, progress, [&](Range chunk) {
      for (std::int64_t t = chunk.begin; t < chunk.end; ++t) {
        const std::int64_t chain = t % chains_.chains(), plane = planes.begin + t / chains_.chains() % planes.size();
        const std::int64_t image = t / chains_.chains() / planes.size();
        const float* const matrix = o.dy + (image * planes_ + plane) * chains_.count * chains_.columns;
        const bool summed = kThreads && common_.floats().value_or(0) > 0;
        float* const sums = summed ? sums_.in(memory.common) + chain * chains_.wide() : sums_.in(memory.own);
        if (!summed) chains_.sum(matrix, chain, sums);
        chains_.add(matrix, chain, sums, o.out + plane * chains_.columns);
      }
    });
  }

 private:
  std::int64_t images_, planes_;  ///< planes_: 1 in NHWC
  Chains chains_;                 ///< of a matrix
  Offset sums_;                   ///< of the wide rows of all chains, or of one
};

}  // namespace

ExecutablePointer prepare_backward_bias_sum(const Geometry& g, Pass, const PrepareOptions& options) {
  return std::make_unique<ColumnSums>(g, options);
}

}  // namespace conv2d::engine
