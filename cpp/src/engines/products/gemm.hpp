#pragma once

#include <cstdint>

#include "base/checked.hpp"
#include "micro_kernels/kernel_set.hpp"
#include "transforms/panels.hpp"

namespace conv2d::engine {

/// All of B (k x n), packed: for each block of k, for each panel of columns, rows x panel width floats.
struct PackedB {
  const float* data = nullptr;
  std::int64_t n = 0;
  std::int64_t k = 0;
};

struct GemmProduct {
  PanelSource a;
  std::int64_t first_row = 0;  ///< of A; row first_row of A gives row 0 of C
  std::int64_t m = 0;          ///< rows of C
  std::int64_t first_k = 0;    ///< column of A that meets row 0 of B
  PackedB b;
  float* c = nullptr;       ///< m x b.n, columns contiguous
  std::int64_t ldc = 0;     ///< floats from a row of C to the next
  bool accumulate = false;  ///< false: C is written and never read
};

/// C (+)= A . B for matrices that are panel sources, blocked for the caches, with the tiles of one instruction set. The
/// caller provides all memory. Sizes count elements and may be 0.
class Gemm {
 public:
  explicit Gemm(const micro_kernels::KernelSet& kernels) noexcept : kernels_(&kernels) {}

  /// Floats of a packed B.
  [[nodiscard]] CheckedInt packed_b_floats(CheckedInt n, CheckedInt k) const noexcept;
  /// Packs columns 0 .. n and rows first_k .. first_k + k of `b` into `out`.
  PackedB pack_b(PanelSource b, std::int64_t n, std::int64_t first_k, std::int64_t k, float* out) const noexcept;

  /// Floats that `multiply` needs for its block of A.
  static std::int64_t packed_a_floats() noexcept;
  /// Rows of a block of A in `multiply`. Callers that compute A block by block use it as their block.
  [[nodiscard]] std::int64_t preferred_rows() const noexcept;
  /// The block of k in `multiply`, for a product with `k` in all. Callers that compute B block by block use it as their
  /// block. Blocks are of equal size.
  static std::int64_t preferred_k(std::int64_t k) noexcept;

  /// `packed_a` holds packed_a_floats(). The order of summation depends on the sizes only.
  void multiply(const GemmProduct& product, float* packed_a) const noexcept;

  [[nodiscard]] const cost::Constants& costs() const noexcept { return *kernels_->costs; }
  /// Estimated cycles of `multiply` without the packing, which depends on the sources of A and B.
  [[nodiscard]] double cost(std::int64_t m, std::int64_t n, std::int64_t k) const noexcept;

  /// Rows and columns of its tiles.
  [[nodiscard]] std::int64_t tile_rows() const noexcept { return kernels_->tile_rows; }
  [[nodiscard]] std::int64_t tile_columns() const noexcept { return kernels_->tile_columns(); }

 private:
  const micro_kernels::KernelSet* kernels_;
};

}  // namespace conv2d::engine
