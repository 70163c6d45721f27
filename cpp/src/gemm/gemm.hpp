#pragma once

#include <cstdint>

#include "base/checked.hpp"
#include "transforms/panels.hpp"

/// C (+)= A . B on matrices that come as panel sources, blocked for the caches and run on the micro-kernels of this
/// machine. All memory is the caller's. Sizes are elements, and may be 0.
namespace conv2d::gemm {

/// B packed whole: for each block of depth, for each panel of columns, depth x width floats.
struct PackedB {
  const float* data = nullptr;
  std::int64_t columns = 0;
  std::int64_t depth = 0;
};

/// Floats of a packed B.
CheckedInt packed_b_floats(CheckedInt columns, CheckedInt depth) noexcept;

/// Packs lanes 0 .. columns and depth_first .. depth_first + depth of `b` into `out`.
PackedB pack_b(PanelSource b, std::int64_t columns, std::int64_t depth_first, std::int64_t depth, float* out) noexcept;

/// Floats that `multiply` needs for its block of A.
std::int64_t packed_a_floats() noexcept;

/// A row count that `multiply` likes to get at a time: callers that make A piece by piece use it as the piece.
std::int64_t preferred_rows() noexcept;

/// A depth that `multiply` does in one block, `depth` being the whole: callers that make B piece by piece use it as the
/// piece. It cuts the whole into equal parts.
std::int64_t preferred_depth(std::int64_t depth) noexcept;

struct Product {
  PanelSource a;
  std::int64_t first_row = 0;  ///< of A; row first_row of A makes row 0 of C
  std::int64_t rows = 0;
  std::int64_t depth_first = 0;  ///< of A, where B's depth begins
  PackedB b;
  float* c = nullptr;           ///< rows x b.columns, columns contiguous
  std::int64_t row_stride = 0;  ///< of C
  bool accumulate = false;      ///< false: C is written and never read
};

/// `packed_a` holds packed_a_floats(). The order of summation depends on the sizes only.
void multiply(const Product& product, float* packed_a) noexcept;

/// Estimated cycles of `multiply` without the packing, which depends on where A and B come from.
double cost(std::int64_t rows, std::int64_t columns, std::int64_t depth) noexcept;

}  // namespace conv2d::gemm
