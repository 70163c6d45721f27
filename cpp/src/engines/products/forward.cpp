#include <algorithm>

#include "check/check.hpp"
#include "cost/constants.hpp"
#include "engines/products/gemm.hpp"
#include "engines/products/group_blocks.hpp"
#include "engines/products/matrices.hpp"
#include "engines/products/products.hpp"
#include "transforms/im2col.hpp"
#include "transforms/weight_panels.hpp"

namespace conv2d::engine {
namespace {

class Im2colForward final : public Executable {
 public:
  Im2colForward(const Geometry& g, ColumnOrder order, const PrepareOptions& options)
      : g_(g), order_(order), gemm_(*options.kernels) {
    // With few positions, w is larger than x_col: each block of its k is packed just before it is used, while it is in
    // the cache. Packing all of it first would read it from memory twice (7 x 7 x 512 -> 512, 3 x 3: 9 MB of weights).
    streams_weights_ = positions_of(g) <= 4 * gemm_.preferred_rows();
    block_ = streams_weights_ ? std::max<std::int64_t>(1, positions_of(g)) : gemm_.preferred_rows();
    // The plan does not know whether a run has a bias.
    const std::int64_t columns = columns_of(g);
    packed_b_ = own_.take(gemm_.packed_b_floats(g.group_k, std::max(packed_k(columns), packed_k(columns + 1))));
    packed_a_ = own_.take(Gemm::packed_a_floats());
    x_col_ = own_.take(CheckedInt(block_) * columns);
    cost_ = cycles();
  }

  bool run(const Operands& o, Part, const Memory& memory, const ProgressHook& progress) const noexcept override {
    const std::int64_t columns = columns_of(g_);
    // The bias is one more step of k, in front, with an input of 1.
    const std::int64_t k = columns + (o.b ? 1 : 0);
    const std::int64_t block_k = packed_k(k);
    float* const packed_b = packed_b_.in(memory.own);
    float* const packed_a = packed_a_.in(memory.own);
    float* const x_col = x_col_.in(memory.own);
    PackedB b;
    const auto pack_weights = [&](std::int64_t group, std::int64_t first_k) {
      const WCol w_col{.g = &g_, .w = o.w, .group = group, .order = order_};
      const LeadingStep biased{.inner = w_col.source(), .values = o.b ? o.b + group * g_.group_k : nullptr};
      const std::int64_t count = std::min(block_k, k - first_k);
      b = gemm_.pack_b(o.b ? biased.source() : w_col.source(), g_.group_k, first_k, count, packed_b);
    };
    const auto start = [&](std::int64_t group) {
      if (!streams_weights_) pack_weights(group, 0);
    };
    const auto multiply = [&](const GroupBlock& rows) {
      im2col(g_, {.group = rows.group, .first = rows.first, .count = rows.count, .order = order_}, o.x, x_col);
      const RowLanes x_col_block{.data = x_col, .row_stride = columns};
      const LeadingStep with_ones{.inner = x_col_block.source()};
      for (std::int64_t first = 0; first < k; first += block_k) {
        if (streams_weights_) pack_weights(rows.group, first);
        gemm_.multiply({.a = o.b ? with_ones.source() : x_col_block.source(),
                        .m = rows.count,
                        .first_k = first,
                        .b = b,
                        .c = o.out + rows.first * g_.k + rows.group * g_.group_k,
                        .ldc = g_.k,
                        .accumulate = first > 0},
                       packed_a);
      }
    };
    const GroupBlocks blocks{
        .groups = g_.groups, .positions = positions_of(g_), .block = block_, .macs_per_position = columns * g_.group_k};
    return for_each_block(blocks, progress, start, multiply);
  }

 private:
  /// The k of w_col that is packed at a time.
  [[nodiscard]] std::int64_t packed_k(std::int64_t k) const noexcept {
    return streams_weights_ ? Gemm::preferred_k(k) : k;
  }

  [[nodiscard]] double cycles() const noexcept {
    const auto columns = static_cast<double>(columns_of(g_));
    const auto taps = static_cast<double>(g_.kh * g_.kw);
    const cost::Products& c = gemm_.costs().products;
    const cost::Im2col& l = gemm_.costs().im2col;
    const double im2col_cycles = order_ == ColumnOrder::kh_kw_c ? l.tap * taps + l.tap_float * columns
                                                                : l.c_kh_kw_tap * taps + l.c_kh_kw_float * columns;
    const double pack_x = im2col_cycles + c.packed_row + c.packed_row_float * columns;
    const double weights = c.packed_weight * static_cast<double>(g_.group_k) * columns;
    const double per_group = c.from_memory * gemm_.cost(positions_of(g_), g_.group_k, columns_of(g_)) + weights +
                             pack_x * static_cast<double>(positions_of(g_));
    return static_cast<double>(g_.groups) * per_group;
  }

  Geometry g_;
  ColumnOrder order_;
  Gemm gemm_;
  bool streams_weights_ = false;
  std::int64_t block_ = 1;  ///< output positions at a time: their rows of x_col are one block of A
  Offset packed_b_, packed_a_, x_col_;
};

}  // namespace

ExecutablePointer prepare_im2col_forward(const Geometry& g, ColumnOrder order, const PrepareOptions& options) {
  CONV2D_DCHECK(g.layout == Layout::nhwc);
  return std::make_unique<Im2colForward>(g, order, options);
}

}  // namespace conv2d::engine
