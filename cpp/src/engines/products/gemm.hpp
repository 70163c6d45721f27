#pragma once

#include <cstdint>

#include "base/checked.hpp"
#include "micro_kernels/kernel_set.hpp"
#include "transforms/panels.hpp"

namespace conv2d::engine {

/// B packed whole: for each block of depth, for each panel of columns, depth x width floats.
struct PackedB {
  const float* data = nullptr;
  std::int64_t columns = 0;
  std::int64_t depth = 0;
};

struct GemmProduct {
  PanelSource a;
  std::int64_t first_row = 0;  ///< of A; row first_row of A makes row 0 of C
  std::int64_t rows = 0;
  std::int64_t depth_first = 0;  ///< of A, where B's depth begins
  PackedB b;
  float* c = nullptr;           ///< rows x b.columns, columns contiguous
  std::int64_t row_stride = 0;  ///< of C
  bool accumulate = false;      ///< false: C is written and never read
};

/// C (+)= A . B on matrices that come as panel sources, blocked for the caches and run on the tiles of one instruction
/// set. All memory is the caller's. Sizes are elements, and may be 0.
class Gemm {
 public:
  explicit Gemm(const micro_kernels::KernelSet& kernels) noexcept : kernels_(&kernels) {}

  /// Floats of a packed B.
  [[nodiscard]] CheckedInt packed_b_floats(CheckedInt columns, CheckedInt depth) const noexcept;
  /// Packs lanes 0 .. columns and depth_first .. depth_first + depth of `b` into `out`.
  PackedB pack_b(PanelSource b, std::int64_t columns, std::int64_t depth_first, std::int64_t depth,
                 float* out) const noexcept;

  /// Floats that `multiply` needs for its block of A.
  static std::int64_t packed_a_floats() noexcept;
  /// A row count that `multiply` likes to get at a time: callers that make A block by block use it as the block.
  [[nodiscard]] std::int64_t preferred_rows() const noexcept;
  /// A depth that `multiply` does in one block, `depth` being the whole: callers that make B block by block use it as
  /// the block. It divides the whole into equal parts.
  static std::int64_t preferred_depth(std::int64_t depth) noexcept;

  /// `packed_a` holds packed_a_floats(). The order of summation depends on the sizes only.
  void multiply(const GemmProduct& product, float* packed_a) const noexcept;

  /// Estimated cycles of `multiply` without the packing, which depends on where A and B come from.
  [[nodiscard]] const cost::Constants& costs() const noexcept { return *kernels_->costs; }
  [[nodiscard]] double cost(std::int64_t rows, std::int64_t columns, std::int64_t depth) const noexcept;

  /// Rows and columns of its tiles.
  [[nodiscard]] std::int64_t tile_rows() const noexcept { return kernels_->tile_rows; }
  [[nodiscard]] std::int64_t tile_columns() const noexcept { return kernels_->tile_columns(); }

 private:
  const micro_kernels::KernelSet* kernels_;
};

}  // namespace conv2d::engine
