#pragma once

#include <algorithm>
#include <array>
#include <cstddef>

#include "base/range.hpp"
#include "base/scratch.hpp"
#include "engines/loops.hpp"
#include "engines/windows/strided_matmul.hpp"
#include "micro_kernels/window_tile.hpp"

/// How a StridedMatmul runs: divided among threads, into blocks that read a part of the image small enough for the
/// cache, and into tiles of the micro-kernels.
namespace conv2d::engine {

/// Most windows of a block: 384 windows of 64 channels are 100 kB.
inline constexpr std::int64_t kBlockWindows = 384;

/// How a block reads its windows.
enum class InputAccess {
  in_place,  ///< from the image: no window crosses its edge
  padded,    ///< from a copy of the block's part of the image, with zeros around it
  clipped,   ///< from the image: a block is one output position of all images; its windows share the taps inside
};

/// A box of output positions.
struct WindowBlock {
  Range n, i, j;

  [[nodiscard]] constexpr std::int64_t count() const noexcept { return n.size() * i.size() * j.size(); }
};

/// The size of a block along each axis. At most one size is neither 1 nor the whole axis.
struct BlockShape {
  InputAccess access = InputAccess::in_place;
  std::int64_t n = 1, i = 1, j = 1;

  [[nodiscard]] static BlockShape of(const StridedMatmul& p) noexcept;
  [[nodiscard]] std::int64_t blocks(const StridedMatmul& p) const noexcept;
  [[nodiscard]] WindowBlock at(const StridedMatmul& p, std::int64_t block) const noexcept;
  /// Floats of one block's padded copy.
  [[nodiscard]] CheckedInt padded_floats(const StridedMatmul& p) const noexcept;
  /// Its cells, per window.
  [[nodiscard]] double copied_cells(const StridedMatmul& p) const noexcept;
};

/// Copies the cells that the block's windows cover, row after row, with zeros for those outside the image.
void copy_padded(const StridedMatmul& p, const WindowBlock& block, const float* image, float* to) noexcept;

/// The fraction of the taps along an axis that are inside the image.
double fraction_inside(const WindowAxis& axis) noexcept;

/// Cells that `windows` adjacent windows cover. Precondition: at least one window and one tap.
constexpr CheckedInt reach(const WindowAxis& axis, std::int64_t windows) noexcept {
  return CheckedInt(windows - 1) * axis.step + CheckedInt(axis.taps - 1) * axis.dilation + 1;
}

/// The tallest tiles first, then lower tiles for the remaining rows: 16 rows take two tiles of 6 and one of 4, and not
/// three of 6, which compute two rows twice.
struct WindowCover {
  std::ptrdiff_t main_rows = 0, rest_rows = 0;    ///< rows of one tile
  std::ptrdiff_t main_tiles = 0, rest_tiles = 0;  ///< number of tiles

  /// The cover that computes the fewest rows, for `rows` rows and a panel of `vectors` registers.
  WindowCover(const micro_kernels::KernelSet& kernels, std::ptrdiff_t rows, std::ptrdiff_t vectors) noexcept;
  /// Rows that the tiles compute; some may be computed twice.
  [[nodiscard]] constexpr std::ptrdiff_t done() const noexcept {
    return main_tiles * main_rows + rest_tiles * rest_rows;
  }
};

/// Multiplies `rows` rows of `tiles` with a panel of `vectors` registers. Precondition: `tiles` has at least
/// micro_kernels::kMaxWindowRows addresses; those past the last row repeat it.
void multiply_windows(const micro_kernels::KernelSet& kernels, micro_kernels::WindowTile tiles, std::ptrdiff_t rows,
                      std::ptrdiff_t vectors) noexcept;

/// How a product is divided among threads: each part has some of the images, of the rows of windows, or of the columns,
/// and is a product of its own. Parts share only what they read, so several parts may repeat some work (packing the
/// weights for some rows, padding the image for some columns). The cost model chooses the division with the least
/// repeated work. Every sum has the order of the undivided product.
enum class Division { none, images, rows, columns };

/// The largest number of parts, at most `most`, of which none is empty.
int part_count(const StridedMatmul& product, int most) noexcept;

/// The division with the cheapest largest part; none when the product cannot be divided into so many parts.
Division best_division(const StridedMatmul& product, int parts) noexcept;

/// The product of one part. A product that is not divided belongs to the first part; the others then have no images.
StridedMatmul part_of(const StridedMatmul& product, Division division, Part part) noexcept;

/// Estimated cycles of a product with packed weights.
double window_cost(const StridedMatmul& product) noexcept;

/// Estimated cycles of packing its weights.
double window_packing_cost(const StridedMatmul& product) noexcept;

/// A pass as products that run one after the other.
ExecutablePointer prepare_products(std::vector<StridedMatmul> products, const WindowOperands& operands,
                                   const PrepareOptions& options);

/// How a product runs: block by block of windows, panel by panel of columns. The order of summation depends on the
/// sizes only.
struct WindowPlan {
  StridedMatmul product;
  BlockShape block;
  std::int64_t blocks = 0;
  Panels panels;
  /// Weights that the run packs. With one block, each panel is packed just before its use and read from the cache. With
  /// several blocks, the first packs all panels.
  Offset packed;
  Offset padded;        ///< a block's part of the image, with zeros around it
  Offset initial_rows;  ///< of each row of windows, for a panel; only where they differ

  static WindowPlan of(const StridedMatmul& product, ScratchLayout& scratch) noexcept;
  /// Approximate multiply-adds of a panel for a block.
  [[nodiscard]] std::int64_t macs_of_panel() const noexcept {
    return block.n * block.i * block.j * product.reduction() * std::min(product.out_channels, panels.widest());
  }
  /// The sum of these.
  [[nodiscard]] std::int64_t macs() const noexcept { return blocks * product.groups * panels.count * macs_of_panel(); }
};

/// One run of a plan.
class WindowRunner {
 public:
  /// The offsets of the plan refer to `scratch`. Plan and tensors must outlive the run.
  WindowRunner(const WindowPlan& plan, const WindowTensors& tensors, float* scratch) noexcept;
  WindowRunner(WindowPlan&&, const WindowTensors&, float*) = delete;
  WindowRunner(const WindowPlan&, WindowTensors&&, float*) = delete;

  /// False when the hook cancels the run.
  bool run(Progress& progress) noexcept;

 private:
  void begin_block(const WindowBlock& block) noexcept;
  [[nodiscard]] micro_kernels::WindowSpans spans(std::int64_t group, std::int64_t width) const noexcept;
  /// The weights of a panel: given packed, or packed here, now or for an earlier block.
  [[nodiscard]] const float* weights(std::int64_t group, std::int64_t panel, bool pack) const noexcept;
  /// Writes `start`, clamped in place, to the columns of all windows of the block: no tap is read.
  void fill(float* start, std::int64_t first_out, std::int64_t columns) noexcept;
  void multiply_panel(std::int64_t group, std::int64_t panel, bool pack) noexcept;
  void multiply_dots(std::int64_t group, bool pack) noexcept;

  const WindowPlan& plan_;
  const WindowTensors& tensors_;
  float* packed_;
  float* padded_;
  float* initial_rows_;

  // Of the current block:
  std::int64_t count_ = 0;         ///< windows
  Range row_taps_{}, col_taps_{};  ///< taps that are read
  std::int64_t row_stride_ = 0;    ///< floats from one row of cells to the next
  std::array<const float*, kBlockWindows> windows_;
  std::array<float*, kBlockWindows> out_;
};

}  // namespace conv2d::engine
