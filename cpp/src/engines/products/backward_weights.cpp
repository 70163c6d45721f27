#include <algorithm>

#include "check/check.hpp"
#include "cost/constants.hpp"
#include "engines/products/gemm.hpp"
#include "engines/products/group_blocks.hpp"
#include "engines/products/matrices.hpp"
#include "engines/products/products.hpp"
#include "transforms/panels.hpp"
#include "transforms/window_panels.hpp"

namespace conv2d::engine {
namespace {

/// The range of each group's dw_col that a part computes: some of its rows (every part packs all of dy), or some of its
/// columns (every part packs all of x).
struct MatrixPart {
  Range rows, columns;
};

/// A part's range of `count` rows or columns, in whole tiles.
Range tiles_of(Part part, std::int64_t count, std::int64_t tile) noexcept {
  const Range tiles = part.of(ceil_div(count, tile));
  return {tiles.begin * tile, std::min(tiles.end * tile, count)};
}

class Im2colWeights final : public Executable {
 public:
  Im2colWeights(const Geometry& g, const PrepareOptions& options)
      : g_(g), gemm_(*options.kernels), block_k_(Gemm::preferred_k(positions_of(g))) {
    packed_b_ = own_.take(gemm_.packed_b_floats(g.group_k, block_k_));
    packed_a_ = own_.take(Gemm::packed_a_floats());
    cost_ = cycles(whole()) + static_cast<double>(g.groups) * block_cycles();
    if (kThreads && options.threads > 1) divide(options.threads);
  }

  bool run(const Operands& o, Part part, const Memory& memory, const ProgressHook& progress) const noexcept override {
    const std::int64_t positions = positions_of(g_);
    float* const packed_b = packed_b_.in(memory.own);
    float* const packed_a = packed_a_.in(memory.own);
    if (positions == 0 && part.index == 0) std::fill_n(o.out, g_.w_size, 0.0F);
    const MatrixPart matrix = matrix_of(part, by_rows_);
    const Range rows = matrix.rows, columns = matrix.columns;
    const auto no_start = [](std::int64_t) {};
    const auto multiply = [&](const GroupBlock& block) {
      const std::int64_t first = block.group * g_.group_k + columns.begin;
      const ColumnLanes dy_col{.data = o.dy + first, .row_stride = g_.k};
      const XColTransposed x_col_transposed{.g = &g_, .x = o.x, .group = block.group};
      gemm_.multiply({.a = x_col_transposed.source(),
                      .first_row = rows.begin,
                      .m = rows.size(),
                      .first_k = block.first,
                      .b = gemm_.pack_b(dy_col.source(), columns.size(), block.first, block.count, packed_b),
                      .c = o.out + rows.begin * g_.k + first,
                      .ldc = g_.k,
                      .accumulate = block.first > 0},
                     packed_a);
    };
    const GroupBlocks blocks{.groups = g_.groups,
                             .positions = positions,
                             .block = block_k_,
                             .macs_per_position = rows.size() * columns.size()};
    return for_each_block(blocks, progress, no_start, multiply);
  }

 private:
  [[nodiscard]] MatrixPart whole() const noexcept { return {.rows = {0, columns_of(g_)}, .columns = {0, g_.group_k}}; }

  [[nodiscard]] MatrixPart matrix_of(Part part, bool by_rows) const noexcept {
    if (part.whole()) return whole();
    return by_rows ? MatrixPart{tiles_of(part, columns_of(g_), gemm_.tile_rows()), whole().columns}
                   : MatrixPart{whole().rows, tiles_of(part, g_.group_k, gemm_.tile_columns())};
  }

  /// Estimated cycles of a part.
  [[nodiscard]] double cycles(const MatrixPart& part) const noexcept {
    const auto fraction = [](Range range, std::int64_t of) {
      return static_cast<double>(range.size()) / static_cast<double>(of);
    };
    const double per_group = gemm_.cost(part.rows.size(), part.columns.size(), positions_of(g_)) +
                             fraction(part.rows, columns_of(g_)) * pack_x_cycles() +
                             fraction(part.columns, g_.group_k) * pack_dy_cycles();
    return static_cast<double>(g_.groups) * per_group;
  }

  // Packing x copies up to a tile's rows at a time, but not across taps, one row of output positions at a time.
  [[nodiscard]] double pack_x_cycles() const noexcept {
    const double copies = static_cast<double>(columns_of(g_)) / static_cast<double>(gemm_.tile_rows()) +
                          static_cast<double>(g_.kh * g_.kw);
    const cost::Products& c = gemm_.costs().products;
    return copies * static_cast<double>(g_.n * g_.oh) * (c.dw_x_span + c.dw_x_float * static_cast<double>(g_.ow));
  }
  [[nodiscard]] double pack_dy_cycles() const noexcept {
    const cost::Products& c = gemm_.costs().products;
    return (c.dw_dy_row + c.dw_dy_float * static_cast<double>(g_.group_k)) * static_cast<double>(positions_of(g_));
  }
  /// Every block of k reads and writes dw once.
  [[nodiscard]] double block_cycles() const noexcept {
    const double blocks = static_cast<double>(positions_of(g_)) / static_cast<double>(block_k_) + 1.0;
    return gemm_.costs().products.dw_float * blocks * static_cast<double>(columns_of(g_)) *
           static_cast<double>(g_.group_k);
  }

  void divide(int most) noexcept {
    parts_ = static_cast<int>(std::min<std::int64_t>(most, ceil_div(columns_of(g_), gemm_.tile_rows())));
    if (parts_ == 1) return;
    const auto slowest = [&](bool by_rows) {
      double cost = 0;
      for (int i = 0; i < parts_; ++i) cost = std::max(cost, cycles(matrix_of({i, parts_}, by_rows)));
      return cost;
    };
    const double rows = slowest(true), columns = slowest(false);
    by_rows_ = rows <= columns;
    cost_ = std::min(rows, columns) + static_cast<double>(g_.groups) * block_cycles() / parts_;
  }

  Geometry g_;
  Gemm gemm_;
  std::int64_t block_k_;  ///< output positions at a time
  bool by_rows_ = true;
  Offset packed_b_, packed_a_;
};

}  // namespace

ExecutablePointer prepare_im2col_weights(const Geometry& g, const PrepareOptions& options) {
  CONV2D_DCHECK(g.layout == Layout::nhwc);
  return std::make_unique<Im2colWeights>(g, options);
}

}  // namespace conv2d::engine
