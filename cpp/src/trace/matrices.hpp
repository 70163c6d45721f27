#pragma once

#include "conv2d/trace.hpp"

/// The matrix stages (x_col ... dw_col) of the lowering, made by what makes them in the algorithms im2col_gemm and
/// col2im: their transforms, and their products.
namespace conv2d::trace {

[[nodiscard]] bool is_matrix(Stage stage) noexcept;

/// Rows and columns of a matrix stage of one group, before transposing. Each fits; their product may not.
struct MatrixSize {
  std::int64_t rows = 0;
  std::int64_t cols = 0;
};
[[nodiscard]] MatrixSize matrix_size(const Geometry& g, Stage stage) noexcept;

/// Writes a matrix stage; lengths were checked by the caller. Error out_of_memory.
Status compute_matrix(const Geometry& g, Stage stage, const StageInputs& in, const StageOptions& options, float* out);

}  // namespace conv2d::trace
