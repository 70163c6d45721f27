#include <algorithm>

#include "check/check.hpp"
#include "cost/constants.hpp"
#include "engines/products/dx_col.hpp"
#include "engines/products/gemm.hpp"
#include "engines/products/group_blocks.hpp"
#include "engines/products/matrices.hpp"
#include "engines/products/products.hpp"
#include "transforms/col2im.hpp"

namespace conv2d::engine {
namespace {

class Col2im final : public Executable {
 public:
  Col2im(const Geometry& g, const PrepareOptions& options) : g_(g), gemm_(*options.kernels) {
    block_ = std::max<std::int64_t>(1, std::min(gemm_.preferred_rows(), positions_of(g)));
    packed_b_ = own_.take(gemm_.packed_b_floats(columns_of(g), g.group_k));
    packed_a_ = own_.take(Gemm::packed_a_floats());
    dx_col_ = own_.take(CheckedInt(block_) * columns_of(g));
    cost_ = cycles();
  }

  bool run(const Operands& o, Part, const Memory& memory, const ProgressHook& progress) const noexcept override {
    float* const packed_a = packed_a_.in(memory.own);
    float* const dx_col = dx_col_.in(memory.own);
    std::fill_n(o.out, g_.x_size, 0.0F);
    PackedB b;
    const auto start = [&](std::int64_t group) {
      b = pack_w_col_transposed(gemm_, g_, o.w, group, packed_b_.in(memory.own));
    };
    const auto multiply_and_add = [&](const GroupBlock& block) {
      const ColumnRows rows{.group = block.group, .first = block.first, .count = block.count};
      multiply_dx_col(gemm_, g_, rows, o.dy, b, packed_a, dx_col);
      col2im_add(g_, rows, dx_col, o.out);
    };
    const GroupBlocks blocks{.groups = g_.groups,
                             .positions = positions_of(g_),
                             .block = block_,
                             .macs_per_position = columns_of(g_) * g_.group_k};
    return for_each_block(blocks, progress, start, multiply_and_add);
  }

 private:
  [[nodiscard]] double cycles() const noexcept {
    const auto columns = static_cast<double>(columns_of(g_));
    const auto filters = static_cast<double>(g_.group_k);
    const cost::Products& c = gemm_.costs().products;
    const cost::Im2col& l = gemm_.costs().im2col;
    const double pack_dy = c.packed_row + c.packed_row_float * filters;
    const double col2im = l.col2im_tap * static_cast<double>(g_.kh * g_.kw) + l.col2im_float * columns;
    const double per_group = c.from_memory * gemm_.cost(positions_of(g_), columns_of(g_), g_.group_k) +
                             c.packed_weight * filters * columns +
                             (pack_dy + col2im) * static_cast<double>(positions_of(g_));
    return static_cast<double>(g_.groups) * per_group + l.cleared_float * static_cast<double>(g_.x_size);
  }

  Geometry g_;
  Gemm gemm_;
  std::int64_t block_ = 1;  ///< output positions at a time: rows of dx_col in memory
  Offset packed_b_, packed_a_, dx_col_;
};

}  // namespace

ExecutablePointer prepare_col2im(const Geometry& g, const PrepareOptions& options) {
  CONV2D_DCHECK(g.layout == Layout::nhwc);
  return std::make_unique<Col2im>(g, options);
}

}  // namespace conv2d::engine
