#pragma once

#include <cstdint>

#include "check/check.hpp"

/// How matrices reach the GEMM: packed into panels, narrow strips of `width` lanes whose depth runs through memory, so
/// that the micro-kernel reads both operands straight ahead. A lane is a row of A or a column of B.
///
///   panel[d * width + lane] = matrix element (first + lane, depth_first + d)
///
namespace conv2d {

struct PanelRange {
  std::int64_t first = 0;  ///< lane of the matrix that becomes lane 0 of the panel
  std::int64_t valid = 0;  ///< lanes that the matrix still has, 1 .. width; the others become 0
  std::int64_t width = 0;
  std::int64_t depth_first = 0;
  std::int64_t depth = 0;
};

/// A matrix that can write itself as panels; what it is made of, only it knows. A function pointer rather than a
/// template, so that packing loops stay functions of their own that are called often: V8 never optimises a loop that
/// was merged into a function that runs once.
struct PanelSource {
  void (*pack)(const void* context, const PanelRange& range, float* panel) noexcept = nullptr;
  const void* context = nullptr;

  void operator()(const PanelRange& range, float* panel) const noexcept {
    CONV2D_CHECK(pack && context && panel && range.first >= 0 && range.depth_first >= 0 && range.depth >= 0);
    CONV2D_CHECK(range.valid >= 1 && range.valid <= range.width);
    pack(context, range, panel);
  }
};

/// A matrix in memory whose lanes are `row_stride` apart and whose depth is contiguous: x_col as A, w_col^T as B.
struct DenseLanes {
  const float* data = nullptr;
  std::int64_t row_stride = 0;

  [[nodiscard]] PanelSource source() const noexcept;
};

/// A matrix in memory whose lanes are contiguous and whose depth is `row_stride` apart: w_col as B, dy_col as B.
struct DenseDepth {
  const float* data = nullptr;
  std::int64_t row_stride = 0;

  [[nodiscard]] PanelSource source() const noexcept;
};

/// `inner` with one more step of depth in front. Ones in front of A and the bias in front of B add the bias to every
/// row of the product: it is a weight whose input is always 1.
struct LeadingStep {
  PanelSource inner;
  const float* values = nullptr;  ///< one per lane of the whole matrix; null: ones

  [[nodiscard]] PanelSource source() const& noexcept;
  PanelSource source() const&& = delete;  // which would outlive what it reads
};

/// panel[d * width + lane] = lanes[lane][d] for lane < width, d < depth.
void interleave(const float* const* lanes, std::int64_t width, std::int64_t depth, float* panel) noexcept;

/// The widest panel that any instruction set packs by pointers to its lanes.
inline constexpr std::int64_t kMaxPanelWidth = 64;

}  // namespace conv2d
