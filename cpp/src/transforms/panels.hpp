#pragma once

#include <cstdint>

#include "transforms/im2col.hpp"

/// How matrices are packed for the micro-kernels: into panels of `width` lanes, stored step by step of the reduction,
/// so that the micro-kernel reads both operands sequentially. A lane is a row of A or a column of B.
///
///   panel[d * width + lane] = matrix element (lane, d)
namespace conv2d {

/// Lanes and steps that are packed. Separate functions pack them and not templates: V8 never optimizes a loop inlined
/// into a function that runs once.
struct PanelRange {
  std::int64_t valid = 0;  ///< lanes of the matrix, 1 .. width; the others become 0
  std::int64_t width = 0;
  std::int64_t reduction = 0;  ///< steps
};

/// Packs lanes that are rows in memory: `row_stride` apart, contiguous along the reduction.
void pack_row_lanes(const float* matrix, std::int64_t row_stride, const PanelRange& range, float* panel) noexcept;

/// Packs lanes that are columns in memory: contiguous, with `row_stride` from one step to the next.
void pack_column_lanes(const float* matrix, std::int64_t row_stride, const PanelRange& range, float* panel) noexcept;

/// panel[d * width + lane] = lanes[lane][d] for lane < width, d < reduction.
void interleave(const float* const* lanes, std::int64_t width, std::int64_t reduction, float* panel) noexcept;

/// The widest panel of all instruction sets that is packed by pointers to its lanes.
inline constexpr std::int64_t kMaxPanelWidth = 64;

/// Writes columns [column, column + width) of the rows of x_col, row after row. They are read from the image: x_col is
/// never stored. Precondition: x is NHWC, and the order is kh_kw_c.
void pack_x_col(const Geometry& g, const ColumnRows& rows, const float* x, std::int64_t column, std::int64_t width,
                float* panel) noexcept;

}  // namespace conv2d
