#pragma once

#include "conv2d_teach/trace.hpp"

/// The matrix stages of im2col (x_col ... dw_col), computed by the transforms and products of the algorithms
/// im2col_gemm and col2im.
namespace conv2d::trace {

[[nodiscard]] bool is_matrix(Stage stage) noexcept;

/// Rows and columns of a matrix stage of one group, not transposed. Their product may overflow.
struct MatrixSize {
  std::int64_t rows = 0;
  std::int64_t cols = 0;
};
[[nodiscard]] MatrixSize matrix_size(const Geometry& g, Stage stage) noexcept;

/// Writes a matrix stage. Precondition: correct lengths. Error: out_of_memory.
Status compute_matrix(const Geometry& g, Stage stage, const StageInputs& in, const StageOptions& options, float* out);

}  // namespace conv2d::trace
