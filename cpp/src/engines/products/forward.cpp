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

class LoweredForward final : public Prepared {
 public:
  LoweredForward(const Geometry& g, ColumnOrder order, const Request& request)
      : g_(g), order_(order), gemm_(*request.kernels) {
    // With few positions, w is what moves: each block of its depth is packed when its turn comes and used at once, out
    // of the cache, rather than all of it packed first and fetched again (7 x 7 x 512 -> 512, 3 x 3: 9 MB of weights).
    streams_weights_ = positions_of(g) <= 4 * gemm_.preferred_rows();
    block_ = streams_weights_ ? std::max<std::int64_t>(1, positions_of(g)) : gemm_.preferred_rows();
    // A plan does not know yet whether there will be a bias.
    const std::int64_t columns = columns_of(g);
    packed_b_ = own_.take(gemm_.packed_b_floats(g.group_k, std::max(packed_depth(columns), packed_depth(columns + 1))));
    packed_a_ = own_.take(Gemm::packed_a_floats());
    x_col_ = own_.take(CheckedInt(block_) * columns);
    cost_ = cycles();
  }

  bool run(const Operands& o, Part, const Memory& memory, const ProgressHook& progress) const noexcept override {
    const std::int64_t columns = columns_of(g_);
    // The bias is a step of depth in front, whose input is always 1.
    const std::int64_t depth = columns + (o.b ? 1 : 0);
    const std::int64_t depth_block = packed_depth(depth);
    float* const packed_b = packed_b_.in(memory.own);
    float* const packed_a = packed_a_.in(memory.own);
    float* const x_col = x_col_.in(memory.own);
    PackedB b;
    const auto pack_weights = [&](std::int64_t group, std::int64_t depth_first) {
      const WeightDepth w_col{.g = &g_, .w = o.w, .group = group, .order = order_};
      const LeadingStep biased{.inner = w_col.source(), .values = o.b ? o.b + group * g_.group_k : nullptr};
      const std::int64_t count = std::min(depth_block, depth - depth_first);
      b = gemm_.pack_b(o.b ? biased.source() : w_col.source(), g_.group_k, depth_first, count, packed_b);
    };
    const auto start = [&](std::int64_t group) {
      if (!streams_weights_) pack_weights(group, 0);
    };
    const auto multiply = [&](const GroupBlock& rows) {
      im2col(g_, {.group = rows.group, .first = rows.first, .count = rows.count, .order = order_}, o.x, x_col);
      const DenseLanes lowered{.data = x_col, .row_stride = columns};
      const LeadingStep with_ones{.inner = lowered.source()};
      for (std::int64_t first = 0; first < depth; first += depth_block) {
        if (streams_weights_) pack_weights(rows.group, first);
        gemm_.multiply({.a = o.b ? with_ones.source() : lowered.source(),
                        .rows = rows.count,
                        .depth_first = first,
                        .b = b,
                        .c = o.out + rows.first * g_.k + rows.group * g_.group_k,
                        .row_stride = g_.k,
                        .accumulate = first > 0},
                       packed_a);
      }
    };
    const GroupBlocks blocks{
        .groups = g_.groups, .positions = positions_of(g_), .block = block_, .macs_per_position = columns * g_.group_k};
    return for_each_block(blocks, progress, start, multiply);
  }

 private:
  /// Depth of w_col that is packed at a time.
  [[nodiscard]] std::int64_t packed_depth(std::int64_t depth) const noexcept {
    return streams_weights_ ? Gemm::preferred_depth(depth) : depth;
  }

  [[nodiscard]] double cycles() const noexcept {
    const auto columns = static_cast<double>(columns_of(g_));
    const auto taps = static_cast<double>(g_.kh * g_.kw);
    const cost::Products& c = gemm_.costs().products;
    const cost::Lowering& l = gemm_.costs().lowering;
    const double im2col_cycles = order_ == ColumnOrder::kh_kw_c ? l.tap * taps + l.tap_float * columns
                                                                : l.apart_tap * taps + l.apart_float * columns;
    const double lower = im2col_cycles + c.packed_row + c.packed_row_float * columns;
    const double weights = c.packed_weight * static_cast<double>(g_.group_k) * columns;
    const double per_group = c.from_memory * gemm_.cost(positions_of(g_), g_.group_k, columns_of(g_)) + weights +
                             lower * static_cast<double>(positions_of(g_));
    return static_cast<double>(g_.groups) * per_group;
  }

  Geometry g_;
  ColumnOrder order_;
  Gemm gemm_;
  bool streams_weights_ = false;
  std::int64_t block_ = 1;  ///< output positions at a time; their rows of x_col are one block of A
  Place packed_b_, packed_a_, x_col_;
};

}  // namespace

PreparedPointer prepare_lowered_forward(const Geometry& g, ColumnOrder order, const Request& request) {
  CONV2D_CHECK(g.layout == Layout::nhwc);
  return std::make_unique<LoweredForward>(g, order, request);
}

}  // namespace conv2d::engine
