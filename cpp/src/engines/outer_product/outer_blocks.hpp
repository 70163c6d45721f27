#pragma once

#include <algorithm>
#include <cstdint>

#include "base/range.hpp"
#include "conv2d/conv_desc.hpp"
#include "desc/windows.hpp"
#include "engines/engines.hpp"
#include "micro_kernels/outer_product.hpp"

/// How backward_weights by outer products is divided into blocks and panels (the terms are in README.md), and among
/// threads. Precondition of everything here: NHWC.
namespace conv2d::engine {

/// Whether a set may have 32 registers of 16 lanes. WebAssembly has none, and its modules do not need the code for
/// them.
#if defined(__wasm__)
inline constexpr bool kLargeSets = false;
#else
inline constexpr bool kLargeSets = true;
#endif

/// The cells of x along one axis that are stored: first, first + step, ...
struct StoredCells {
  std::int64_t first = 0, step = 1, count = 0;
};

/// How the rows of dw are divided into spans with adjacent cells.
struct OuterSpans {
  bool few_filters = false;  ///< all filters fit into the rows of a tile
  bool transposed = false;   ///< filters are broadcast and rows of dw fill the registers, since the filters would not
  bool whole_rows = false;   ///< a row of taps is one span
  bool borders = false;      ///< the columns of the padding are stored as zeros
  bool triple = false;       ///< a tile has the spans of all three rows of taps; padding rows are stored as zeros
  std::int64_t spans = 0;    ///< per row of taps: kw, or 1
  std::int64_t rows = 0;     ///< of dw, per span

  [[nodiscard]] bool triples() const noexcept { return kLargeSets && triple; }
};

/// How the channels of x are divided into panels.
struct OuterPanels {
  std::int64_t tile_width = 0;  ///< of a panel for tiles: the order of summation follows from it, not from `width`
  std::int64_t width = 0;       ///< channels of a panel of x
  std::int64_t panels = 0;      ///< of x, per group
};

/// The lines and images of outputs that are summed at a time.
struct OuterBlockSize {
  std::int64_t lines = 1;   ///< of outputs, per block
  std::int64_t images = 1;  ///< per block; more than one only when `lines` is all of them
};

struct OuterBlocks : OuterSpans, OuterPanels, OuterBlockSize {
  const KernelSet* kernels = nullptr;  ///< of the run
  StoredCells columns;
  std::int64_t row_step = 1;  ///< between stored rows of x
  bool x_in_place = false;    ///< x is read in place
  bool dy_in_place = false;   ///< dy is read in place

  /// For at most `threads` threads. They change the width of panels, and no order of summation.
  [[nodiscard]] static OuterBlocks of(const Geometry& g, const KernelSet& kernels, int threads) noexcept;
  /// Rows of dw of a span in panel `panel`.
  [[nodiscard]] std::int64_t rows_in(std::int64_t panel) const noexcept {
    return panels == 1 ? rows : std::min(width, rows - panel * width);
  }
  /// Rows of taps that have tiles of their own.
  [[nodiscard]] std::int64_t tap_rows(const Geometry& g) const noexcept { return triples() ? 1 : g.kh; }
};

/// Most rows of a tile of a span of `rows` rows.
std::int64_t most_tile_rows(const KernelSet& k, std::int64_t group_k, std::int64_t rows) noexcept;

/// Rows of a group's dw: one per tap and channel.
constexpr std::int64_t dw_rows(const Geometry& g) noexcept { return g.kh * g.kw * g.group_c; }

/// Estimated cycles of the whole pass.
double outer_cost(const Geometry& g, const OuterBlocks& blocks) noexcept;

/// The rows of x that output lines [begin, end) read.
StoredCells stored_rows(const Geometry& g, const OuterBlocks& blocks, Range lines) noexcept;

/// Floats of `panels` panels of a block.
CheckedInt panel_floats(const Geometry& g, const OuterBlocks& blocks, std::int64_t panels) noexcept;

/// Fills panels of x: for each one of `chosen`, each image and stored row, columns.count * width floats.
void pack_x_panels(const Geometry& g, const OuterBlocks& blocks, const float* x, std::int64_t group, Range chosen,
                   Range images, const StoredCells& rows, float* panels) noexcept;

/// The part of dw that a thread computes: some columns of some rows.
struct OuterPart {
  Range groups, filters;  ///< filters of each group
  Range panels;           ///< of x, of each group
  Range taps;             ///< rows of taps

  [[nodiscard]] std::int64_t first_column(const Geometry& g) const noexcept {
    return groups.begin * g.group_k + filters.begin;
  }
  [[nodiscard]] std::int64_t columns() const noexcept { return groups.size() * filters.size(); }
};

/// What the parts have: all rows of some columns (whole groups, or whole tiles of the filters of the only group), the
/// rows of some panels of x, or those of some rows of taps.
enum class OuterUnits { panels, columns, taps };

struct OuterDivision {
  int parts = 1;
  OuterUnits units = OuterUnits::panels;

  /// Such a part sums in its own memory. Otherwise a cache line on the border of two parts would move between their
  /// cores at every block: with 64 filters that took a third of the time.
  [[nodiscard]] bool by_columns() const noexcept { return units == OuterUnits::columns; }
  /// The cheapest division into at most `most` parts.
  [[nodiscard]] static OuterDivision of(const Geometry& g, const OuterBlocks& blocks, int most) noexcept;
  [[nodiscard]] OuterPart part(const Geometry& g, const OuterBlocks& blocks, Part which) const noexcept;
  /// Estimated cycles of the slowest part when the undivided pass takes `whole`.
  [[nodiscard]] double cost(const Geometry& g, const OuterBlocks& blocks, double whole) const noexcept;
};

/// Where x and dy of one block and group are.
struct OuterBlock {
  Range images, lines;
  Range panels;  ///< of x
  Range taps;    ///< rows of them
  std::int64_t group = 0;
  StoredCells rows;          ///< of x
  const float* x = nullptr;  ///< cell (images.begin, rows.first, columns.first), first channel of the first panel
  /// Floats from one stored cell, row, image and panel to the next.
  std::int64_t x_cell = 0, x_row = 0, x_image = 0, x_panel = 0;

  [[nodiscard]] std::int64_t first_pixel(const Geometry& g) const noexcept {
    return (images.begin * g.oh + lines.begin) * g.ow;
  }
  [[nodiscard]] std::int64_t pixels(const Geometry& g) const noexcept { return images.size() * lines.size() * g.ow; }
};

/// dy as the tiles read it: `filters` floats at pixel 0 of the block, the next pixel `pitch` floats further.
struct DyColumns {
  const float* data = nullptr;
  std::int64_t filters = 0, pitch = 0;
};

/// dw as the tiles write it: `data` is element (0, first filter of dy), the next row is `pitch` floats further.
struct DwColumns {
  float* data = nullptr;
  std::int64_t pitch = 0;
};

/// Runs tiles of `rows` rows. A single one may have fewer `columns` in c than its width.
void run_tile(const KernelSet& k, const micro_kernels::OuterProductTile& tile, std::int64_t rows,
              micro_kernels::TileWidth width, std::int64_t columns) noexcept;

/// Runs tiles of `rows` rows side by side, for `columns` columns of c: of `width`, then narrower ones for the rest.
/// Those of b are tile.next_b floats apart. Precondition: with TileWidth::wide, the columns of b are
/// adjacent, and a register past the last one may be read.
void run_across(const KernelSet& k, micro_kernels::OuterProductTile tile, std::int64_t rows, std::int64_t columns,
                micro_kernels::TileWidth width) noexcept;

/// Runs a triple with `rows` rows in each span that has only `columns` columns in c.
void run_triple(const KernelSet& k, const micro_kernels::OuterProductTile& tile, std::int64_t rows,
                std::int64_t columns) noexcept;

/// Adds the block's pixels to all rows of dw of its panels and the columns of `dy`. With `accumulate` false, dw is
/// written and never read.
void multiply_block(const Geometry& g, const OuterBlocks& blocks, const OuterBlock& b, const DyColumns& dy,
                    const DwColumns& dw, bool accumulate) noexcept;

/// The same for tiles with filters as rows, to the transposed dw; its first row is the first filter of dy.
void multiply_block_transposed(const Geometry& g, const OuterBlocks& blocks, const OuterBlock& b, const DyColumns& dy,
                               float* dw_transposed, bool accumulate) noexcept;

}  // namespace conv2d::engine
