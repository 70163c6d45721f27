#pragma once

#include <cstdint>

#include "check/check.hpp"

/// How matrices are packed for the GEMM: into panels of `width` lanes, stored step by step of k, so that the
/// micro-kernel reads both operands sequentially. A lane is a row of A or a column of B.
///
///   panel[d * width + lane] = matrix element (first + lane, first_k + d)
///
namespace conv2d {

struct PanelRange {
  std::int64_t first = 0;  ///< lane of the matrix that becomes lane 0 of the panel
  std::int64_t valid = 0;  ///< lanes of the matrix, 1 .. width; the others become 0
  std::int64_t width = 0;
  std::int64_t first_k = 0;
  std::int64_t k = 0;
};

/// A matrix that writes itself as panels. A function pointer rather than a template, so that packing loops are separate
/// functions that are called often: V8 never optimizes a loop inlined into a function that runs once.
struct PanelSource {
  void (*pack)(const void* context, const PanelRange& range, float* panel) noexcept = nullptr;
  const void* context = nullptr;

  void operator()(const PanelRange& range, float* panel) const noexcept {
    CONV2D_DCHECK(pack && context && panel && range.first >= 0 && range.first_k >= 0 && range.k >= 0);
    CONV2D_DCHECK(range.valid >= 1 && range.valid <= range.width);
    pack(context, range, panel);
  }
};

/// A matrix in memory with its rows as lanes: `row_stride` apart, contiguous along k. x_col as A, w_col^T as B.
struct RowLanes {
  const float* data = nullptr;
  std::int64_t row_stride = 0;

  [[nodiscard]] PanelSource source() const noexcept;
};

/// A matrix in memory with its columns as lanes: contiguous, with `row_stride` from one step of k to the next. w_col as
/// B, dy_col as B.
struct ColumnLanes {
  const float* data = nullptr;
  std::int64_t row_stride = 0;

  [[nodiscard]] PanelSource source() const noexcept;
};

/// `inner` with one more step of k in front. Ones in front of A and the bias in front of B add the bias to every row of
/// the product, as a weight with an input of 1.
struct LeadingStep {
  PanelSource inner;
  const float* values = nullptr;  ///< one per lane of the whole matrix; null: ones

  [[nodiscard]] PanelSource source() const& noexcept;
  PanelSource source() const&& = delete;  // the source would outlive *this
};

/// panel[d * width + lane] = lanes[lane][d] for lane < width, d < k.
void interleave(const float* const* lanes, std::int64_t width, std::int64_t k, float* panel) noexcept;

/// The widest panel of all instruction sets that is packed by pointers to its lanes.
inline constexpr std::int64_t kMaxPanelWidth = 64;

}  // namespace conv2d
