#pragma once

#include <cstdint>

#include "engines/prepared.hpp"
#include "engines/winograd/plan.hpp"

namespace conv2d::engine {

/// One run of one part of a plan.
class WinogradRun {
 public:
  /// The plan must outlive the run.
  WinogradRun(const WinogradPlan& plan, const WindowTensors& tensors, Part part, const Memory& memory) noexcept;
  WinogradRun(WinogradPlan&&, const WindowTensors&, Part, const Memory&) = delete;

  /// Makes the part's fraction of what is common to several parts. All must have before one takes its first step.
  void fill_common() noexcept;
  /// Does step t. All must be done, in order.
  void step(std::int64_t t) noexcept;

 private:
  /// A tile's place: its image, and its first output.
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
  float* cells_;          ///< where the plan's places are
  float* weights_;
  float* products_;
  float* packed_;
  float* edge_;
  std::int64_t first_ = 0;  ///< tile of the current block
  std::int64_t count_ = 0;  ///< tiles of the current block
};

}  // namespace conv2d::engine
