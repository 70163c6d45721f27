#pragma once

#include <cstdint>

#include "base/checked.hpp"
#include "base/range.hpp"
#include "base/scratch.hpp"
#include "engines/engines.hpp"
#include "engines/windows/strided_matmul.hpp"
#include "micro_kernels/winograd.hpp"

namespace conv2d::engine {

/// The position of a tile: its image, and its first row and column.
struct WinogradTile {
  std::int64_t n = 0, i = 0, j = 0;

  /// Of tile number `tile` of images with down x across tiles of m x m outputs.
  static constexpr WinogradTile at(std::int64_t tile, std::int64_t down, std::int64_t across, std::int64_t m) noexcept {
    return {tile / across / down, tile / across % down * m, tile % across * m};
  }
};

/// Floats from one matrix to the next, for matrices of `floats` floats. One cache line is added because sizes are often
/// powers of two, which would map the same element of all matrices to one set of the cache: without it 256 channels
/// took twice the time.
constexpr std::ptrdiff_t matrix_step(std::int64_t floats) noexcept { return offset(floats + kCacheLineFloats); }

/// Images that tiles are read from, in NHWC; cells outside them are 0.
struct TiledImages {
  const float* cells = nullptr;  ///< the first channel of the first cell
  std::int64_t rows = 0, cols = 0;
  std::int64_t cell = 0;      ///< floats from one cell to the next
  std::int64_t channels = 0;  ///< that are read

  /// Transforms the `side` x `side` cells from `tile` on, which may be outside. Fills in all of `transform` but its
  /// output; the channels are rounded up to whole registers of zeros. `edge` has space for the cells.
  void transform(micro_kernels::WinogradFunction function, std::int64_t side, const WinogradTile& tile,
                 std::int64_t lanes, float* edge, micro_kernels::WinogradTransform transform) const noexcept;
};

/// How F(m x m, 3 x 3) divides a product: into tiles of m x m outputs, the tiles into blocks with transforms that stay
/// in the cache, and the columns into panels. Precondition of all here: 3 x 3 taps; step, dilation and groups are 1.
struct WinogradShape {
  std::int64_t outputs = 0;           ///< m
  std::int64_t down = 0, across = 0;  ///< tiles of an image
  std::int64_t tiles = 0;             ///< of all images
  /// Whether the transformed weights of all panels are kept, for several blocks of tiles or for several parts that each
  /// have some of the tiles. Otherwise there is one block, and parts have some of the panels: the weights of a panel
  /// are transformed just before their use and overwritten by the next panel.
  bool keeps_weights = false;
  std::int64_t block_tiles_max = 0;
  std::int64_t reduction = 0;  ///< channels
  std::int64_t channels = 0;   ///< the same, rounded up to whole registers
  Panels panels;               ///< of columns

  WinogradShape(const StridedMatmul& p, std::int64_t m, int parts) noexcept;
  /// Cells along the side of a tile, and the number of matrix products.
  [[nodiscard]] constexpr std::int64_t side() const noexcept { return outputs + 2; }
  [[nodiscard]] constexpr std::int64_t matrices() const noexcept { return side() * side(); }
  /// Equal blocks for `count` tiles, and the tiles of one.
  [[nodiscard]] constexpr std::int64_t blocks_of(std::int64_t count) const noexcept {
    return ceil_div(count, block_tiles_max);
  }
  [[nodiscard]] constexpr std::int64_t block_of(std::int64_t count) const noexcept {
    return count > 0 ? ceil_div(count, blocks_of(count)) : 0;
  }
  /// The tiles and the panels of a part.
  [[nodiscard]] constexpr Range tiles_of(Part part) const noexcept {
    return keeps_weights ? part.of(tiles) : Range{0, tiles};
  }
  [[nodiscard]] constexpr Range panels_of(Part part) const noexcept {
    return keeps_weights ? Range{0, panels.count} : part.of(panels.count);
  }
  /// Floats from the transformed weights of a panel to those of the next.
  [[nodiscard]] constexpr std::int64_t panel_floats() const noexcept {
    return matrices() * matrix_step(reduction * panels.widest());
  }
};

/// How a product runs: in parts, each block by block of tiles and panel by panel of columns. The order of
/// summation depends on the sizes only. Data that several parts need is computed once, by all parts together: the
/// transformed weights when each part has some of the tiles, or the transformed cells when each has some of the panels.
struct WinogradPlan final : Executable {
  StridedMatmul product;
  Pass pass;
  const micro_kernels::WinogradKernels* kernels;
  WinogradShape shape;
  Offset cells;     ///< [matrix][tile][channel] of a block
  Offset weights;   ///< [panel][matrix][channel][lane], or one panel's; not read when they are packed
  Offset products;  ///< [matrix][tile][lane] of one panel; before that, the cells of one tile that crosses the edge
  Offset edge;      ///< the outputs of one tile that crosses the edge

  WinogradPlan(const StridedMatmul& product, Pass of, std::int64_t outputs, const PrepareOptions& options) noexcept;

  [[nodiscard]] bool divided() const noexcept { return kThreads && parts() > 1; }
  [[nodiscard]] bool common_weights() const noexcept { return divided() && shape.keeps_weights; }
  [[nodiscard]] bool common_cells() const noexcept { return divided() && !shape.keeps_weights; }
  /// Writes the transformed weights of a panel, [matrix][channel][lane].
  void transform_weights(const float* w, std::int64_t panel, float* transformed) const noexcept;

  void pack(const float* w, float* packed) const noexcept override;
  void fill_common(const Operands& o, Part part, const Memory& memory) const noexcept override;
  bool run(const Operands& o, Part part, const Memory& memory, const ProgressHook& progress) const noexcept override;

 private:
  /// Estimated cycles of the slowest part, without what all parts share.
  [[nodiscard]] double cycles(bool packed_weights) const noexcept;
  /// Estimated cycles of transforming the cells of some tiles, and the weights of some columns.
  [[nodiscard]] double cells_cost(std::int64_t tiles) const noexcept;
  [[nodiscard]] double weights_cost(std::int64_t columns) const noexcept;
};

/// One run of one part of a plan.
class WinogradRunner {
 public:
  /// The plan must outlive the run.
  WinogradRunner(const WinogradPlan& plan, const WindowTensors& tensors, Part part, const Memory& memory) noexcept;
  WinogradRunner(WinogradPlan&&, const WindowTensors&, Part, const Memory&) = delete;

  /// Computes the part's share of the common data. All parts must do so before any part runs.
  void fill_common() noexcept;
  /// False when the hook cancels the run.
  bool run(const ProgressHook& hook) noexcept;

 private:
  /// The position of a tile's first output.
  [[nodiscard]] WinogradTile tile_at(std::int64_t tile) const noexcept;
  /// Where the transformed weights of a panel are in scratch memory.
  [[nodiscard]] float* place_of(std::int64_t panel) const noexcept;
  /// The transformed weights of a panel: given packed, or transformed here, now or before.
  [[nodiscard]] const float* weights_of(std::int64_t panel, bool transform) const noexcept;
  /// Of the block's tiles in `range`.
  void transform_cells(Range range) noexcept;
  void multiply(std::int64_t panel, const float* weights) noexcept;
  void write_outputs(std::int64_t panel) noexcept;

  const WinogradPlan& plan_;
  const StridedMatmul& product_;
  const WinogradShape& shape_;
  WindowTensors tensors_;
  Part part_;
  Range tiles_, panels_;  ///< of the part
  float* cells_;          ///< from the plan's offsets
  float* weights_;
  float* products_;
  float* edge_;
  std::int64_t first_ = 0;  ///< tile of the current block
  std::int64_t count_ = 0;  ///< tiles of the current block
};

}  // namespace conv2d::engine
