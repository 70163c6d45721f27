#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "base/scratch.hpp"
#include "engines/windows/blocks.hpp"
#include "engines/windows/product.hpp"
#include "engines/windows/weights.hpp"
#include "micro_kernels/window_tile.hpp"

namespace conv2d::engine {

/// How a product runs: in steps, each a panel of columns for a block of windows. The order of summation depends on the
/// sizes only.
struct WindowPlan {
  WindowProduct product;
  BlockShape block;
  std::int64_t blocks = 0;
  Panels panels;
  bool dots = false;  ///< with dot tiles; all columns are then one panel
  /// Weights that the run packs. With one block, each panel is packed just before its use and read from the cache. With
  /// several blocks, the first packs all panels.
  Offset packed;
  Offset padded;  ///< a block's part of the image, with zeros around it

  static WindowPlan of(const WindowProduct& product, ScratchLayout& scratch) noexcept;
  [[nodiscard]] std::int64_t panels_per_group() const noexcept { return dots ? 1 : panels.count; }
  [[nodiscard]] std::int64_t steps() const noexcept { return blocks * product.groups * panels_per_group(); }
  /// Approximate multiply-adds of a step.
  [[nodiscard]] std::int64_t macs_per_step() const noexcept {
    return block.n * block.i * block.j * product.reduction() * std::min(product.out_channels, panels.widest());
  }
};

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
