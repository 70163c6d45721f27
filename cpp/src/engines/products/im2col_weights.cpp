#include "cost/constants.hpp"
#include "dcheck/dcheck.hpp"
#include "engines/outer_product/outer_blocks.hpp"
#include "engines/products/products.hpp"
#include "micro_kernels/kernel_set.hpp"
#include "transforms/panels.hpp"

namespace conv2d::engine {
namespace {

using micro_kernels::TileWidth;

// A tile reads 22 floats of a position: 256 positions are 22 kB of L1.
constexpr std::int64_t kBlockPositions = 256;

class Im2colWeights final : public Executable {
 public:
  Im2colWeights(const Geometry& g, const PrepareOptions& options)
      : g_(g),
        kernels_(*options.kernels),
        block_(std::max<std::int64_t>(1, even_part(positions_of(g), kBlockPositions))) {
    const CheckedInt positions = block_;
    x_panel_ = own_.take(positions * kernels_.outer_tile_rows);
    dy_panels_ = own_.take(positions * round_up(g.group_k, kernels_.tile_columns()));
    tiles_ = ceil_div(columns_of(g), kernels_.tile_rows);
    if (kThreads) parts_ = static_cast<int>(std::min<std::int64_t>(options.parts, tiles_));
    cost_ = cycles();
  }

  bool run(const Operands& o, Part part, const Memory& memory, const ProgressHook& progress) const noexcept override {
    if (positions_of(g_) == 0 && part.index == 0) std::fill_n(o.out, g_.w_size, 0.0F);
    const auto nothing = [](std::int64_t) {};
    const auto multiply = [&](const ColumnRows& block) {
      pack_dy(block, o.dy, dy_panels_.in(memory.own));
      add_products(block, part.of(tiles_), o.x, memory, o.out + block.group * g_.group_k);
    };
    return for_each_block(g_, {0, positions_of(g_)}, block_, progress, nothing, multiply);
  }

 private:
  void pack_dy(const ColumnRows& block, const float* dy, float* panels) const noexcept {
    const std::int64_t width = kernels_.tile_columns();
    const float* const first = dy + block.first * g_.k + block.group * g_.group_k;
    for (std::int64_t f = 0; f < g_.group_k; f += width) {
      pack_column_lanes(first + f, g_.k,
                        {.valid = std::min(width, g_.group_k - f), .width = width, .reduction = block.count},
                        panels + f * block.count);
    }
  }

  /// Adds the outer products of the block's rows of x_col and dy_col to some tiles of rows of the group's dw_col.
  void add_products(const ColumnRows& block, Range tiles, const float* x, const Memory& memory,
                    float* dw) const noexcept {
    const std::int64_t columns = columns_of(g_), width = kernels_.tile_columns();
    float* const x_panel = x_panel_.in(memory.own);
    for (std::int64_t t = tiles.begin; t < tiles.end; ++t) {
      const std::int64_t row = columns * t / tiles_;
      const std::int64_t rows = columns * (t + 1) / tiles_ - row;
      pack_x_col(g_, block, x, row, rows, x_panel);
      run_across(kernels_,
                 {.a = x_panel,
                  .b = dy_panels_.in(memory.own),
                  .c = dw + row * g_.k,
                  .images = {.count = 1},
                  .lines = {.count = 1},
                  .pixels = {.count = block.count, .a_step = rows, .b_step = width},
                  .row_stride = g_.k,
                  .accumulate = block.first > 0,
                  .next_b = width * block.count},
                 rows, g_.group_k, TileWidth::two);
    }
  }

  /// Estimated cycles of the largest part. Every part packs all of dy.
  [[nodiscard]] double cycles() const noexcept {
    const cost::Products& c = kernels_.costs->products;
    const auto columns = static_cast<double>(columns_of(g_)), filters = static_cast<double>(g_.group_k);
    const auto positions = static_cast<double>(positions_of(g_));
    const double blocks = positions / static_cast<double>(block_) + 1.0;
    const std::int64_t vectors = ceil_div(g_.group_k, kernels_.lanes);
    const double begun = c.tile * blocks;
    const double full = static_cast<double>(vectors / kernels_.tile_vectors) *
                        (begun + c.step_register * kernels_.tile_rows * kernels_.tile_vectors * positions);
    const double last =
        vectors % kernels_.tile_vectors == 0 ? 0.0 : begun + c.step_min * kernels_.tile_rows * positions;
    const double sums = static_cast<double>(tiles_) * (full + last);
    const double copies = columns / kernels_.tile_rows + static_cast<double>(g_.kh * g_.kw);
    const double x =
        copies * static_cast<double>(g_.n * g_.oh) * (c.dw_x_span + c.dw_x_float * static_cast<double>(g_.ow));
    const double dy = (c.dw_dy_row + c.dw_dy_float * filters) * positions;
    const double share = static_cast<double>(ceil_div(tiles_, parts())) / static_cast<double>(tiles_);
    return static_cast<double>(g_.groups) * ((sums + x + c.dw_float * blocks * columns * filters) * share + dy);
  }

  Geometry g_;
  const KernelSet& kernels_;
  std::int64_t block_;      ///< output positions at a time
  std::int64_t tiles_ = 0;  ///< of the rows of dw_col
  Offset x_panel_;          ///< some columns of x_col, for the rows of a tile
  Offset dy_panels_;        ///< the filters of a group
};

}  // namespace

ExecutablePointer prepare_im2col_weights(const Geometry& g, Pass, const PrepareOptions& options) {
  CONV2D_DCHECK(g.layout == Layout::nhwc);
  return std::make_unique<Im2colWeights>(g, options);
}

}  // namespace conv2d::engine
