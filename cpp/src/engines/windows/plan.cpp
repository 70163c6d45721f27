#include "engines/windows/plan.hpp"

#include "check/check.hpp"

namespace conv2d::engine {
namespace {

CheckedInt scratch_floats(const WindowPlan& plan) noexcept {
  const WindowProduct& p = plan.product;
  if (plan.blocks > 1) return packed_weights_floats(p);
  const CheckedInt depth = CheckedInt(p.rows.taps) * p.cols.taps * p.channels;
  return depth * (plan.dots ? p.columns : plan.panels.widest());
}

}  // namespace

WindowPlan WindowPlan::of(const WindowProduct& product, Ledger& scratch) noexcept {
  CONV2D_CHECK(product.n >= 0 && product.groups >= 1 && product.channels >= 0 && product.columns >= 0);
  CONV2D_CHECK((product.rows.taps == 0) == (product.cols.taps == 0));
  const BlockShape block = BlockShape::of(product);
  WindowPlan plan{.product = product,
                  .block = block,
                  .blocks = block.blocks(product),
                  .panels = Panels::of(product),
                  .dots = takes_dots(product),
                  .packed = {},
                  .padded = {}};
  plan.packed = scratch.take(scratch_floats(plan));
  plan.padded = scratch.take(block.padded_floats(product));
  return plan;
}

}  // namespace conv2d::engine
