#pragma once

#include <cstdint>

#include "gemm/winograd_shape.hpp"
#include "micro_kernels/winograd.hpp"

namespace conv2d::gemm {

/// Runs a share of a product step by step, each a panel of columns for a block of tiles.
class WinogradRun {
 public:
  /// `common`: winograd_common() floats; null for the whole, which needs none.
  WinogradRun(const WindowProduct& product, std::int64_t outputs, const Share& share, float* common,
              float* workspace) noexcept;

  /// Makes the share's part of what is common. All parts must be there before a share takes its first step.
  void prepare() noexcept;

  [[nodiscard]] std::int64_t steps() const noexcept { return shape_.blocks_of(tiles_.size()) * panels_.size(); }
  /// Multiply-adds of a step, about.
  [[nodiscard]] std::int64_t macs_per_step() const noexcept;
  /// Does step t. All must be done, in order.
  void step(std::int64_t t) noexcept;

 private:
  /// A tile's place: its image, and its first output.
  struct Tile {
    std::int64_t n, i, j;
  };
  [[nodiscard]] Tile tile_at(std::int64_t tile) const noexcept;
  [[nodiscard]] float* weights_of(std::int64_t panel) const noexcept;
  [[nodiscard]] bool makes_cells() const noexcept { return share_.whole() || shape_.keeps_weights; }
  [[nodiscard]] bool makes_weights() const noexcept { return share_.whole() || !shape_.keeps_weights; }
  /// Of the block's tiles in `range`.
  void transform_cells(Range range) noexcept;
  void transform_weights(std::int64_t panel) noexcept;
  void multiply(std::int64_t panel) noexcept;
  void write_outputs(std::int64_t panel) noexcept;

  const WindowProduct& product_;
  WinogradShape shape_;
  Share share_;
  Range tiles_, panels_;  ///< of the share
  micro_kernels::WinogradKernels kernels_;
  float* cells_ = nullptr;     ///< [matrix][tile][channel]
  float* weights_ = nullptr;   ///< [panel][matrix][channel][lane]
  float* products_ = nullptr;  ///< [matrix][tile][lane] of one panel
  float* packed_ = nullptr;    ///< one panel of weights as they are
  float* edge_ = nullptr;      ///< one tile that reaches over the edge: its cells, or its outputs
  std::int64_t first_ = 0;     ///< tile of the current block
  std::int64_t count_ = 0;     ///< tiles of the current block
};

}  // namespace conv2d::gemm
