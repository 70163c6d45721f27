#include "engines/windows/plan.hpp"

#include "check/check.hpp"

namespace conv2d::engine {
namespace {

CheckedInt scratch_floats(const WindowPlan& plan) noexcept {
  const WindowProduct& p = plan.product;
  if (plan.blocks > 1) return packed_weights_floats(p);
  const CheckedInt reduction = CheckedInt(p.rows.taps) * p.cols.taps * p.channels;
  return reduction * (plan.dots ? p.out_channels : plan.panels.widest());
}

}  // namespace

WindowPlan WindowPlan::of(const WindowProduct& product, ScratchLayout& scratch) noexcept {
  CONV2D_DCHECK(product.n >= 0 && product.groups >= 1 && product.channels >= 0 && product.out_channels >= 0);
  CONV2D_DCHECK((product.rows.taps == 0) == (product.cols.taps == 0));
  const BlockShape block = BlockShape::of(product);
  WindowPlan plan{.product = product,
                  .block = block,
                  .blocks = block.blocks(product),
                  .panels = Panels::of(product),
                  .dots = prefers_dot_tiles(product),
                  .packed = {},
                  .padded = {}};
  plan.packed = scratch.take(scratch_floats(plan));
  plan.padded = scratch.take(block.padded_floats(product));
  return plan;
}

}  // namespace conv2d::engine
