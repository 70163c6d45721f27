#include <algorithm>

#include "check/check.hpp"
#include "cost/constants.hpp"
#include "engines/products/group_blocks.hpp"
#include "engines/products/matrices.hpp"
#include "engines/products/products.hpp"
#include "engines/products/row_blocks.hpp"
#include "transforms/im2col.hpp"

namespace conv2d::engine {
namespace {

class Col2im final : public Executable {
 public:
  Col2im(const Geometry& g, const PrepareOptions& options)
      : g_(g), rows_(dx_col_product(g, *options.kernels, positions_of(g)), own_) {
    dx_col_ = own_.take(CheckedInt(rows_.block()) * columns_of(g));
    cost_ = cycles(options.kernels->costs->im2col);
  }

  bool run(const Operands& o, Part, const Memory& memory, const ProgressHook& progress) const noexcept override {
    float* const dx_col = dx_col_.in(memory.own);
    std::fill_n(o.out, g_.x_size, 0.0F);
    const auto start = [&](std::int64_t group) { rows_.start(o.w + group * g_.group_k, memory.own); };
    const auto multiply_and_add = [&](const GroupBlock& block) {
      const std::int64_t filter = block.group * g_.group_k;
      rows_.multiply({.image = o.dy + block.first * g_.k + filter, .weights = o.w + filter, .out = dx_col}, block.count,
                     memory.own);
      col2im_add(g_, {.group = block.group, .first = block.first, .count = block.count}, dx_col, o.out);
    };
    const GroupBlocks blocks{.groups = g_.groups,
                             .positions = positions_of(g_),
                             .block = rows_.block(),
                             .macs_per_position = columns_of(g_) * g_.group_k};
    return for_each_block(blocks, progress, start, multiply_and_add);
  }

 private:
  [[nodiscard]] double cycles(const cost::Im2col& c) const noexcept {
    const double col2im =
        c.col2im_tap * static_cast<double>(g_.kh * g_.kw) + c.col2im_float * static_cast<double>(columns_of(g_));
    const double per_group = rows_.cost() + col2im * static_cast<double>(positions_of(g_));
    return static_cast<double>(g_.groups) * per_group + c.cleared_float * static_cast<double>(g_.x_size);
  }

  Geometry g_;
  RowBlocks rows_;
  Offset dx_col_;
};

}  // namespace

ExecutablePointer prepare_col2im(const Geometry& g, const PrepareOptions& options) {
  CONV2D_DCHECK(g.layout == Layout::nhwc);
  return std::make_unique<Col2im>(g, options);
}

}  // namespace conv2d::engine
