#pragma once

#include "engines/products/dx_col.hpp"
#include "trace/nhwc.hpp"

namespace conv2d::trace {

/// Computes rows of dx_col with the matrix product that the algorithm col2im uses.
class GradientRows {
 public:
  /// `g` and the tensors must outlive this object.
  GradientRows(const Geometry& g, const micro_kernels::KernelSet& kernels) noexcept : g_(g), gemm_(kernels) {}

  /// Sets the inputs. Returns false if there is not enough memory.
  [[nodiscard]] bool set_inputs(const float* dy, const float* w) noexcept;
  /// Selects the group of the following rows.
  void select_group(std::int64_t group) noexcept;
  /// Writes rows [first, first + count) in kh_kw_c order, and returns their description.
  ColumnRows write(std::int64_t first, std::int64_t count, float* dx_col) noexcept;

  /// Rows per block in the algorithm col2im.
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
