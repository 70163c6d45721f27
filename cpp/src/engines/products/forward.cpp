#include "check/check.hpp"
#include "cost/constants.hpp"
#include "engines/products/group_blocks.hpp"
#include "engines/products/matrices.hpp"
#include "engines/products/products.hpp"
#include "engines/products/row_blocks.hpp"
#include "transforms/im2col.hpp"

namespace conv2d::engine {
namespace {

class Im2colForward final : public Executable {
 public:
  Im2colForward(const Geometry& g, ColumnOrder order, const PrepareOptions& options)
      : g_(g), order_(order), rows_(x_col_product(g, *options.kernels, order, positions_of(g)), own_) {
    x_col_ = own_.take(CheckedInt(rows_.block()) * columns_of(g));
    cost_ = cycles(options.kernels->costs->im2col);
  }

  bool run(const Operands& o, Part, const Memory& memory, const ProgressHook& progress) const noexcept override {
    float* const x_col = x_col_.in(memory.own);
    const auto start = [&](std::int64_t group) { rows_.start(o.w + group * g_.group_k, memory.own); };
    const auto multiply = [&](const GroupBlock& block) {
      const std::int64_t filter = block.group * g_.group_k;
      im2col(g_, {.group = block.group, .first = block.first, .count = block.count, .order = order_}, o.x, x_col);
      rows_.multiply({.image = x_col,
                      .weights = o.w + filter,
                      .bias = o.b ? o.b + filter : nullptr,
                      .out = o.out + block.first * g_.k + filter},
                     block.count, memory.own);
    };
    const GroupBlocks blocks{.groups = g_.groups,
                             .positions = positions_of(g_),
                             .block = rows_.block(),
                             .macs_per_position = columns_of(g_) * g_.group_k};
    return for_each_block(blocks, progress, start, multiply);
  }

 private:
  [[nodiscard]] double cycles(const cost::Im2col& c) const noexcept {
    const auto columns = static_cast<double>(columns_of(g_));
    const auto taps = static_cast<double>(g_.kh * g_.kw);
    const double im2col_cycles = order_ == ColumnOrder::kh_kw_c ? c.tap * taps + c.tap_float * columns
                                                                : c.c_kh_kw_tap * taps + c.c_kh_kw_float * columns;
    const double copy = im2col_cycles * static_cast<double>(positions_of(g_));
    return static_cast<double>(g_.groups) * (copy + rows_.cost());
  }

  Geometry g_;
  ColumnOrder order_;
  RowBlocks rows_;
  Offset x_col_;
};

}  // namespace

ExecutablePointer prepare_im2col_forward(const Geometry& g, ColumnOrder order, const PrepareOptions& options) {
  CONV2D_DCHECK(g.layout == Layout::nhwc);
  return std::make_unique<Im2colForward>(g, order, options);
}

}  // namespace conv2d::engine
