#pragma once

#include "base/scratch.hpp"
#include "engines/windows/run.hpp"

namespace conv2d::engine {

/// A product of the rows of a matrix, which runs in blocks of rows: the caller writes or finds a block, and multiplies
/// it. The weights of a group are packed once, or during the only block.
class RowBlocks {
 public:
  /// `product` has all rows. Its scratch memory comes from `scratch`.
  RowBlocks(const WindowProduct& product, ScratchLayout& scratch) noexcept;

  /// Rows of a block, >= 1.
  [[nodiscard]] std::int64_t block() const noexcept { return block_; }
  /// Begins a group with its weights at `w`.
  void start(const float* w, float* memory) const noexcept;
  /// Multiplies `count` rows, at most a block. `tensors.packed` is ignored.
  void multiply(WindowTensors tensors, std::int64_t count, float* memory) const noexcept;
  /// Estimated cycles of all rows of a group, with the packing of its weights.
  [[nodiscard]] double cost() const noexcept { return cost_; }

 private:
  WindowPlan plan_;  ///< of one block
  std::int64_t block_;
  bool packs_first_;
  Offset packed_;  ///< all weights of a group
  double cost_;
};

}  // namespace conv2d::engine
