#pragma once

#include <cstdint>

#include "engines/executable.hpp"
#include "engines/winograd/plan.hpp"

namespace conv2d::engine {

/// One run of one part of a plan.
class WinogradRunner {
 public:
  /// The plan must outlive the run.
  WinogradRunner(const WinogradPlan& plan, const WindowTensors& tensors, Part part, const Memory& memory) noexcept;
  WinogradRunner(WinogradPlan&&, const WindowTensors&, Part, const Memory&) = delete;

  /// Computes the part's share of the common data. All parts must do so before any part takes its first step.
  void fill_common() noexcept;
  /// Executes step t. All steps must be executed, in order.
  void step(std::int64_t t) noexcept;

 private:
  /// The position of a tile: its image, and its first output.
  struct Tile {
    std::int64_t n, i, j;
  };
  [[nodiscard]] Tile tile_at(std::int64_t tile) const noexcept;
  [[nodiscard]] float* weights_of(std::int64_t panel) const noexcept;
  /// Of the block's tiles in `range`.
  void transform_cells(Range range) noexcept;
  void transform_weights(std::int64_t panel) noexcept;
  void multiply(std::int64_t panel) noexcept;
  void write_outputs(std::int64_t panel) noexcept;

  const WinogradPlan& plan_;
  const WindowProduct& product_;
  const WinogradShape& shape_;
  WindowTensors tensors_;
  Part part_;
  Range tiles_, panels_;  ///< of the part
  float* cells_;          ///< from the plan's offsets
  float* weights_;
  float* products_;
  float* packed_;
  float* edge_;
  std::int64_t first_ = 0;  ///< tile of the current block
  std::int64_t count_ = 0;  ///< tiles of the current block
};

}  // namespace conv2d::engine
