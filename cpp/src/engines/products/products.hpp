#pragma once

#include <algorithm>
#include <cstdint>

#include "base/scratch.hpp"
#include "conv2d/lowering.hpp"
#include "engines/engines.hpp"
#include "engines/loops.hpp"
#include "engines/windows/strided_matmul.hpp"
#include "engines/windows/window_plan.hpp"
#include "transforms/im2col.hpp"

/// The matrices of im2col as products of the windows engine: a row of x_col or dy is an image with a single window, and
/// the weights are a kernel that covers it. Precondition of all: NHWC.
namespace conv2d::engine {

/// Columns of x_col and dx_col, of a group.
constexpr std::int64_t columns_of(const Geometry& g) noexcept { return g.kh * g.kw * g.group_c; }

/// Rows of x_col and dy_col: output positions of the batch.
constexpr std::int64_t positions_of(const Geometry& g) noexcept { return g.n * g.oh * g.ow; }

/// y_col = x_col . w_col, of `rows` rows of one group. The image is x_col; the weights and the output begin at the
/// group's first filter.
StridedMatmul x_col_product(const Geometry& g, const micro_kernels::KernelSet& kernels, ColumnOrder order,
                            std::int64_t rows) noexcept;

/// dx_col = dy_col . w_col^T, in kh_kw_c order. The output is dx_col; dy and the weights begin at the group's first
/// filter.
StridedMatmul dx_col_product(const Geometry& g, const micro_kernels::KernelSet& kernels, std::int64_t rows) noexcept;

/// A product of the rows of a matrix, which runs in blocks of rows: the caller writes or finds a block, and multiplies
/// it. The weights of a group are packed once, or during the only block.
class RowBlocks {
 public:
  /// `product` has all rows. Its scratch memory comes from `scratch`.
  RowBlocks(const StridedMatmul& product, ScratchLayout& scratch) noexcept;

  /// Rows of a block, >= 1.
  [[nodiscard]] std::int64_t block() const noexcept { return block_; }
  /// Its weights are at `w`.
  void begin_group(const float* w, float* memory) const noexcept;
  /// Multiplies `count` rows, at most a block. `tensors.packed` is ignored.
  void multiply(WindowTensors tensors, std::int64_t count, float* memory) const noexcept;
  /// Estimated cycles of all rows of a group, and of packing its weights.
  [[nodiscard]] double cost() const noexcept { return cost_; }
  [[nodiscard]] double packing_cost() const noexcept { return packing_cost_; }

 private:
  WindowPlan plan_;  ///< of one block
  std::int64_t block_;
  bool packs_first_;
  Offset packed_;  ///< all weights of a group
  double cost_ = 0, packing_cost_ = 0;
};

/// Most multiply-adds per position of a narrow group. Narrow groups share cache lines of x, y and dx. The lines are
/// loaded once when all groups of a block of positions follow each other, and begin_group() has little to do.
inline constexpr std::int64_t kNarrowGroup = 256;

/// Calls work(ColumnRows) for blocks of `block` of the output positions `all`, of every group, those of one group in
/// order, and begin_group(group) before the first block of each group, or before every block of narrow groups. Calls
/// the hook once per chunk. False when the hook cancels the run.
template <class BeginGroup, class Work>
bool for_each_block(const Geometry& g, Range all, std::int64_t block, const ProgressHook& hook, BeginGroup begin_group,
                    Work work) noexcept {
  const std::int64_t macs_per_position = columns_of(g) * g.group_k;
  const std::int64_t blocks = ceil_div(all.size(), block);
  const bool narrow = g.groups > 1 && macs_per_position <= kNarrowGroup;
  return in_chunks(g.groups * blocks, block * macs_per_position, hook, [&](Range chunk) {
    for (std::int64_t t = chunk.begin; t < chunk.end; ++t) {
      const std::int64_t group = narrow ? t % g.groups : t / blocks;
      const std::int64_t first = all.begin + (narrow ? t / g.groups : t % blocks) * block;
      if (narrow || first == all.begin) begin_group(group);
      work(ColumnRows{.group = group, .first = first, .count = std::min(block, all.end - first)});
    }
  });
}

}  // namespace conv2d::engine
