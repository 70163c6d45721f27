#pragma once

#include "engines/products/dx_col.hpp"
#include "trace/nhwc.hpp"

namespace conv2d::trace {

/// Makes rows of dx_col as backward_data's col2im does: by the same product of the same operands.
class GradientRows {
 public:
  /// `g` and the tensors must outlive the rows.
  GradientRows(const Geometry& g, const micro_kernels::KernelSet& kernels) noexcept : g_(g), gemm_(kernels) {}

  /// False when memory could not be had.
  [[nodiscard]] bool take(const float* dy, const float* w) noexcept;
  /// From now on rows are of this group.
  void start(std::int64_t group) noexcept;
  /// Writes `count` rows (kh_kw_c) from `first` on, dense, and says which they are.
  ColumnRows write(std::int64_t first, std::int64_t count, float* dx_col) noexcept;

  /// As many rows as col2im makes at a time.
  [[nodiscard]] std::int64_t block() const noexcept { return gemm_.preferred_rows(); }

 private:
  const Geometry& g_;
  engine::Gemm gemm_;
  std::int64_t group_ = 0;
  Nhwc dy_, w_;
  Scratch<float> packed_w_, packed_a_;
  engine::PackedB w_col_transposed_;
};

}  // namespace conv2d::trace
