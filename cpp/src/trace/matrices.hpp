#pragma once

#include "conv2d/trace.hpp"

/// The matrix stages (x_col ... dw_col) of the lowering, computed entry by entry from the tensors.
namespace conv2d::trace {

[[nodiscard]] bool is_matrix(Stage stage) noexcept;

/// Rows and columns of a matrix stage of one group, before transposing. Each fits; their product may not.
struct MatrixSize {
  std::int64_t rows = 0;
  std::int64_t cols = 0;
};
[[nodiscard]] MatrixSize matrix_size(const Geometry& g, Stage stage) noexcept;

/// Writes a matrix stage; lengths were checked by the caller.
void compute_matrix(const Geometry& g, Stage stage, const StageInputs& in, const StageOptions& options,
                    float* out) noexcept;

}  // namespace conv2d::trace
