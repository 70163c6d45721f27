#pragma once

#include <array>
#include <cstdint>

#include "gemm/packed_weights.hpp"
#include "gemm/window_blocks.hpp"
#include "gemm/window_product.hpp"
#include "micro_kernels/window_tile.hpp"

namespace conv2d::gemm {

/// Floats that a WindowRun of this product needs; -1 when the count overflows. Pointers are not looked at.
std::int64_t window_workspace(const WindowProduct& product) noexcept;

/// Estimated cycles of the product; packing takes kPackingCycles of them per weight.
double window_cost(const WindowProduct& product) noexcept;
inline constexpr double kPackingCycles = 2.5;

/// Runs a product step by step, each a panel of columns for a block of windows. The order of summation depends on the
/// sizes only. Precondition of all but the sizes: window_workspace() >= 0.
class WindowRun {
 public:
  WindowRun(const WindowProduct& product, float* workspace) noexcept;

  [[nodiscard]] std::int64_t steps() const noexcept { return blocks_ * product_.groups * panels_per_group(); }
  /// Multiply-adds of a step, about.
  [[nodiscard]] std::int64_t macs_per_step() const noexcept;
  /// Does step t. All must be done, in order.
  void step(std::int64_t t) noexcept;

 private:
  [[nodiscard]] std::int64_t panels_per_group() const noexcept { return dots_ ? 1 : panels_.count; }
  void begin_block(const WindowBlock& block) noexcept;
  [[nodiscard]] micro_kernels::WindowRuns runs(std::int64_t group, std::int64_t width) const noexcept;
  /// A panel's weights, out of those that the product was given or packed here, now or for an earlier block.
  [[nodiscard]] const float* weights(std::int64_t group, std::int64_t panel, bool pack) const noexcept;
  /// What is left of the block's columns where no tap is read.
  void fill(const float* start, std::int64_t first_out, std::int64_t columns) noexcept;
  void multiply_panel(std::int64_t group, std::int64_t panel, bool pack) noexcept;
  void multiply_dots(std::int64_t group, bool pack) noexcept;

  const WindowProduct& product_;
  BlockShape shape_;
  std::int64_t blocks_ = 0;
  Panels panels_;
  bool dots_ = false;
  float* packed_ = nullptr;
  float* padded_ = nullptr;

  // Of the current block:
  std::int64_t count_ = 0;         ///< windows
  Range row_taps_{}, col_taps_{};  ///< taps that are read
  std::int64_t row_stride_ = 0;    ///< floats from one row of cells to the next
  std::array<const float*, kBlockWindows> windows_;
  std::array<float*, kBlockWindows> out_;
};

}  // namespace conv2d::gemm
