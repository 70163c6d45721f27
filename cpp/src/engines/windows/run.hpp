#pragma once

#include <array>
#include <cstdint>

#include "engines/windows/plan.hpp"
#include "micro_kernels/window_tile.hpp"

namespace conv2d::engine {

/// One run of a plan.
class WindowRunner {
 public:
  /// The offsets of the plan refer to `scratch`. Plan and tensors must outlive the run.
  WindowRunner(const WindowPlan& plan, const WindowTensors& tensors, float* scratch) noexcept;
  WindowRunner(WindowPlan&&, const WindowTensors&, float*) = delete;
  WindowRunner(const WindowPlan&, WindowTensors&&, float*) = delete;

  /// Executes step t. All steps must be executed, in order.
  void step(std::int64_t t) noexcept;

 private:
  void begin_block(const WindowBlock& block) noexcept;
  [[nodiscard]] micro_kernels::WindowSpans spans(std::int64_t group, std::int64_t width) const noexcept;
  /// The weights of a panel: given packed, or packed here, now or for an earlier block.
  [[nodiscard]] const float* weights(std::int64_t group, std::int64_t panel, bool pack) const noexcept;
  /// Writes `start` to the columns of all windows of the block: no tap is read.
  void fill(const float* start, std::int64_t first_out, std::int64_t columns) noexcept;
  void multiply_panel(std::int64_t group, std::int64_t panel, bool pack) noexcept;
  void multiply_dots(std::int64_t group, bool pack) noexcept;

  const WindowPlan& plan_;
  const WindowTensors& tensors_;
  float* packed_;
  float* padded_;

  // Of the current block:
  std::int64_t count_ = 0;         ///< windows
  Range row_taps_{}, col_taps_{};  ///< taps that are read
  std::int64_t row_stride_ = 0;    ///< floats from one row of cells to the next
  std::array<const float*, kBlockWindows> windows_;
  std::array<float*, kBlockWindows> out_;
};

}  // namespace conv2d::engine
