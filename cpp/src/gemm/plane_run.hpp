#pragma once

#include <cstdint>

#include "base/checked.hpp"
#include "gemm/window_product.hpp"

namespace conv2d::gemm {

/// How a product of one channel and one column is cut: padded copies of a few rows of windows, whose cells stay in the
/// cache while the registers pass over them. Precondition of all here: groups, channels, columns, cols.step and out_col
/// are 1, and there are taps.
struct PlaneShape {
  std::int64_t rows = 0;  ///< of windows at a time
  CheckedInt pitch = 0;   ///< floats of a copied row: up to the last register's end
  CheckedInt copied_rows = 0;

  explicit PlaneShape(const WindowProduct& product) noexcept;
  /// Floats of a copy.
  [[nodiscard]] CheckedInt floats() const noexcept { return pitch * copied_rows; }
  /// Whether the copy is small enough beside the plane: a padding or dilation that is much larger than the image is
  /// not worth its zeros.
  [[nodiscard]] bool sensible(const WindowProduct& product) const noexcept;
};

/// Floats that a PlaneRun needs; -1 when the count overflows.
std::int64_t plane_workspace(const WindowProduct& product) noexcept;

/// Estimated cycles.
double plane_cost(const WindowProduct& product) noexcept;

/// Runs a product step by step, each some rows of windows of an image. The order of summation depends on the sizes
/// only.
class PlaneRun {
 public:
  PlaneRun(const WindowProduct& product, float* workspace) noexcept;

  [[nodiscard]] std::int64_t steps() const noexcept { return product_.n * blocks_; }
  [[nodiscard]] std::int64_t macs_per_step() const noexcept {
    return shape_.rows * product_.cols.windows * product_.taps();
  }
  /// Does step t, in any order.
  void step(std::int64_t t) const noexcept;

 private:
  const WindowProduct& product_;
  PlaneShape shape_;
  std::int64_t blocks_ = 0;  ///< of an image
  float* plane_ = nullptr;
};

}  // namespace conv2d::gemm
