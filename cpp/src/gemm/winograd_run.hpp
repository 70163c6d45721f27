#pragma once

#include <array>
#include <cstdint>

#include "gemm/packed_weights.hpp"
#include "gemm/window_blocks.hpp"
#include "gemm/window_product.hpp"
#include "gemm/workspace.hpp"
#include "micro_kernels/winograd.hpp"

namespace conv2d::gemm {

/// How F(m x m, 3 x 3) cuts a product into tiles of m x m outputs, and those into blocks whose transforms stay in the
/// cache. Precondition of all here: 3 x 3 taps, step, dilation and groups 1.
struct WinogradShape {
  std::int64_t outputs = 0;           ///< m
  std::int64_t down = 0, across = 0;  ///< tiles of an image
  std::int64_t tiles = 0;             ///< of all images
  std::int64_t block = 0;             ///< tiles at a time
  std::int64_t blocks = 0;
  std::int64_t channels = 0;  ///< rounded up to whole registers

  WinogradShape(const WindowProduct& p, std::int64_t outputs) noexcept;
  /// Floats from one matrix to the next. The powers of two that sizes like to be would put the same element of all
  /// matrices into one set of the cache, from which they would push each other out: 256 channels took twice the time.
  [[nodiscard]] static constexpr std::int64_t step_of(std::int64_t floats) noexcept { return floats + kLineFloats; }
  /// Cells along a tile's side, and matrix products.
  [[nodiscard]] constexpr std::int64_t side() const noexcept { return outputs + 2; }
  [[nodiscard]] constexpr std::int64_t matrices() const noexcept { return side() * side(); }
};

/// Floats that a WinogradRun needs; -1 when the count overflows.
std::int64_t winograd_workspace(const WindowProduct& product, std::int64_t outputs) noexcept;

/// Estimated cycles.
double winograd_cost(const WindowProduct& product, std::int64_t outputs) noexcept;

/// Runs a product step by step, each a panel of columns for a block of tiles.
class WinogradRun {
 public:
  WinogradRun(const WindowProduct& product, std::int64_t outputs, float* workspace) noexcept;

  [[nodiscard]] std::int64_t steps() const noexcept { return shape_.blocks * panels_.count; }
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
  void begin_block(std::int64_t block) noexcept;
  void transform_weights(std::int64_t panel, float* to) noexcept;
  void multiply(std::int64_t panel, const float* weights) noexcept;
  void write_outputs(std::int64_t panel) noexcept;

  const WindowProduct& product_;
  WinogradShape shape_;
  Panels panels_;
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
