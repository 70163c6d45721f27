#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "base/checked.hpp"
#include "base/errors.hpp"
#include "base/scratch.hpp"
#include "conv2d/conv2d.hpp"
#include "conv2d_teach/trace.hpp"
#include "dcheck/dcheck.hpp"
#include "desc/geometry.hpp"

/// What stages, folds and partial results have in common.
namespace conv2d::trace {

/// Error unless 0 <= steps <= total.
Status check_steps(std::string_view field, std::int64_t steps, std::int64_t total);

/// Error: no memory to compute `field`.
Status out_of_memory(std::string_view field);

/// Number of elements. Precondition: it fits in 63 bits, as for all shapes of stage_shape and process_shape.
constexpr std::int64_t elements(const std::array<std::int64_t, 4>& shape) noexcept {
  CONV2D_DCHECK((CheckedInt(shape[0]) * shape[1] * shape[2] * shape[3]).fits());
  return shape[0] * shape[1] * shape[2] * shape[3];
}

/// Plans and runs an algorithm with its own workspace. Errors: those of plan() and run(); out_of_memory.
Status run_by_name(const Geometry& g, Pass pass, std::string_view algorithm, const Tensors& tensors);

/// x, w or dy in NHWC (HWIO), the order of the im2col algorithms: the tensor itself, or a copy that the transforms of
/// plans convert.
class Nhwc {
 public:
  /// Sets x or dy; `pixels` is height * width. Returns false if there is no memory for the copy.
  [[nodiscard]] bool set_activation(const Geometry& g, const float* tensor, std::int64_t channels,
                                    std::int64_t pixels) noexcept;
  /// Sets w or dw. Returns false if there is no memory for the copy.
  [[nodiscard]] bool set_weights(const Geometry& g, const float* tensor) noexcept;

  [[nodiscard]] const float* data() const noexcept { return data_; }

 private:
  const float* data_ = nullptr;
  Scratch<float> copy_;
};

/// Output dx: written in place, or in an NHWC copy that end() converts.
class NhwcDx {
 public:
  /// Fills with 0. Returns false if there is no memory for the copy.
  [[nodiscard]] bool begin(const Geometry& g, float* dx) noexcept;
  void end(const Geometry& g, float* dx) noexcept;

  [[nodiscard]] float* data() const noexcept { return data_; }

 private:
  float* data_ = nullptr;
  Scratch<float> copy_;
};

/// Computes the first `positions` rows of dx_col of each group, with the blocks and the product of the algorithm
/// col2im. Writes them to `matrix`, in the given order of columns, or adds them to `dx` (NHWC); the other one is null.
/// Error: out_of_memory (`field`).
Status compute_dx_col(const Geometry& g, std::string_view field, const float* dy, const float* w,
                      std::int64_t positions, ColumnOrder order, float* matrix, float* dx);

// The matrix stages of im2col (x_col ... dw_col), computed by the transforms and products of the algorithms im2col_gemm
// and col2im. (matrices.cpp)

[[nodiscard]] bool is_matrix(Stage stage) noexcept;

/// Rows and columns of a matrix stage of one group, not transposed. Their product may overflow.
struct MatrixSize {
  std::int64_t rows = 0, cols = 0;
};
[[nodiscard]] MatrixSize matrix_size(const Geometry& g, Stage stage) noexcept;

/// Writes a matrix stage. Precondition: correct lengths. Error: out_of_memory.
Status compute_matrix(const Geometry& g, Stage stage, const StageInputs& in, const StageOptions& options, float* out);

}  // namespace conv2d::trace
