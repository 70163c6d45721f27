#pragma once

#include "engines/products/products.hpp"
#include "trace/nhwc.hpp"
#include "transforms/im2col.hpp"

namespace conv2d::trace {

/// Computes rows of dx_col with the matrix product that the algorithm col2im uses.
class GradientRows {
 public:
  /// `g` must outlive this object.
  GradientRows(const Geometry& g, const micro_kernels::KernelSet& kernels) noexcept;

  /// Sets the inputs, which must outlive this object. Returns false if there is not enough memory.
  [[nodiscard]] bool set_inputs(const float* dy, const float* w) noexcept;
  /// Selects the group of the following rows.
  void select_group(std::int64_t group) noexcept;
  /// Writes rows [first, first + count), at most a block, in kh_kw_c order, and returns their description.
  ColumnRows write(std::int64_t first, std::int64_t count, float* dx_col) noexcept;

  /// Rows per block in the algorithm col2im.
  [[nodiscard]] std::int64_t block() const noexcept { return rows_.block(); }

 private:
  const Geometry& g_;
  ScratchLayout layout_;
  engine::RowBlocks rows_;
  std::int64_t group_ = 0;
  Nhwc dy_, w_;
  Scratch<float> memory_;
};

}  // namespace conv2d::trace
