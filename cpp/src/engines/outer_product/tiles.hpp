#pragma once

#include "engines/outer_product/blocks.hpp"
#include "micro_kernels/outer_product.hpp"

/// The sums of backward_weights by outer products: the tiles of dw to which one block of pixels adds.
namespace conv2d::engine {

/// Where x and dy of one block and group are.
struct OuterBlock {
  Range images, lines;
  Range panels;  ///< of x
  std::int64_t group = 0;
  StoredCells rows;          ///< of x
  const float* x = nullptr;  ///< cell (images.begin, rows.first, columns.first), first channel of the first panel
  std::int64_t x_cell = 0;   ///< floats from one stored cell to the next; below: from one row, image, panel to the next
  std::int64_t x_row = 0;
  std::int64_t x_image = 0;
  std::int64_t x_panel = 0;

  [[nodiscard]] std::int64_t first_pixel(const Geometry& g) const noexcept {
    return (images.begin * g.oh + lines.begin) * g.ow;
  }
  [[nodiscard]] std::int64_t pixels(const Geometry& g) const noexcept { return images.size() * lines.size() * g.ow; }
};

/// dy as the tiles read it: `filters` floats at pixel 0 of the block, the next pixel `pitch` floats further.
struct DyColumns {
  const float* data = nullptr;
  std::int64_t filters = 0;
  std::int64_t pitch = 0;
};

/// dw as the tiles write it: `data` is element (0, first filter of dy), the next row is `pitch` floats further.
struct DwColumns {
  float* data = nullptr;
  std::int64_t pitch = 0;
};

/// Runs a tile of `rows` rows that has only `columns` columns in c.
void run_tile(const KernelSet& k, micro_kernels::OuterProductTile tile, std::int64_t rows,
              micro_kernels::TileWidth width, std::int64_t columns) noexcept;

/// Adds the block's pixels to all rows of dw of its panels and the columns of `dy`. With `accumulate` false, dw is
/// written and never read.
void multiply_block(const Geometry& g, const OuterBlocks& blocks, const OuterBlock& b, const DyColumns& dy,
                    const DwColumns& dw, bool accumulate) noexcept;

/// The same for tiles with filters as rows, to the transposed dw; its first row is the first filter of dy.
void multiply_block_transposed(const Geometry& g, const OuterBlocks& blocks, const OuterBlock& b, const DyColumns& dy,
                               float* dw_transposed, bool accumulate) noexcept;

}  // namespace conv2d::engine
