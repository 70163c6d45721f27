#include "engines/outer_product/plan.hpp"

#include <algorithm>

#include "engines/outer_product/outer_product.hpp"
#include "micro_kernels/kernel_set.hpp"

namespace conv2d::engine {
namespace {

/// Number of filters with panels of dy that are packed together; their tiles follow each other. At least two panels,
/// which write whole cache lines of dw. With few pixels there are more panels: writing dw then dominates, and whole
/// pages are faster.
std::int64_t filters_at_once(const Geometry& g, const OuterBlocks& blocks) noexcept {
  if (blocks.transposed) return g.group_k;
  constexpr std::int64_t kDyFloats = 16384;  // a part of L2
  const std::int64_t panel = blocks.kernels->tile_columns();
  const std::int64_t pixels = blocks.images * blocks.lines * g.ow;
  return panel * std::clamp<std::int64_t>(kDyFloats / (panel * pixels), 2,
                                          std::max<std::int64_t>(2, ceil_div(g.group_k, panel)));
}

}  // namespace

OuterProductExecutable::OuterProductExecutable(const Geometry& g, const PrepareOptions& options) noexcept
    : g_(g),
      blocks_(OuterBlocks::of(g, *options.kernels)),
      division_(OuterDivision::of(g, blocks_, options.threads)),
      filters_at_once_(filters_at_once(g, blocks_)),
      line_blocks_(ceil_div(g.oh, blocks_.lines)),
      image_blocks_(ceil_div(g.n, blocks_.images)) {
  parts_ = division_.parts;
  cost_ = division_.cost(g, blocks_, outer_cost(g, blocks_));

  std::int64_t panels = 0, columns = 0;  // of the part that needs most
  for (int i = 0; i < parts_; ++i) {
    const OuterPart part = division_.part(g, blocks_, {i, parts_});
    panels = std::max(panels, part.panels.size());
    columns = std::max(columns, part.columns());
  }
  x_ = own_.take(panel_floats(g, blocks_, panels));
  if (!blocks_.dy_in_place) {
    dy_ = own_.take(CheckedInt(blocks_.images) * blocks_.lines * g.ow * filters_at_once_);
  }
  // With one filter, dw equals its transpose.
  if (blocks_.transposed && g.k > 1) dw_transposed_ = own_.take(g.w_size);
  if (division_.by_columns) dw_ = own_.take(dw_rows(g) * columns);
}

ExecutablePointer prepare_outer_product(const Geometry& g, const PrepareOptions& options) {
  return std::make_unique<OuterProductExecutable>(g, options);
}

}  // namespace conv2d::engine
