#include "engines/products/row_blocks.hpp"

#include "check/check.hpp"
#include "cost/constants.hpp"
#include "engines/windows/division.hpp"

namespace conv2d::engine {
namespace {

// A block stays in L2: 96 rows of 576 floats are 220 kB.
constexpr std::int64_t kBlockRows = 96;

/// With few rows, the weights are larger than the matrix: the only block packs each panel just before its use, while it
/// is in the cache. Packing all of them first would read them from memory twice (7 x 7 x 512 -> 512, 3 x 3: 9 MB).
std::int64_t rows_of_block(std::int64_t rows) noexcept {
  return std::max<std::int64_t>(1, rows <= kBlockWindows ? rows : kBlockRows);
}

WindowProduct with_rows(WindowProduct product, std::int64_t rows) noexcept {
  product.n = rows;
  return product;
}

}  // namespace

RowBlocks::RowBlocks(const WindowProduct& product, ScratchLayout& scratch) noexcept
    : block_(rows_of_block(product.n)), packs_first_(product.n > block_) {
  ScratchLayout unused;  // the weights of several blocks are packed in memory of their own
  plan_ = WindowPlan::of(with_rows(product, block_), packs_first_ ? unused : scratch);
  CONV2D_DCHECK(plan_.blocks == 1 && plan_.block.access == InputAccess::in_place);
  if (packs_first_) packed_ = scratch.take(packed_weights_floats(product));
  const cost::Products& c = product.kernels->costs->products;
  const double row = c.row + c.row_float * static_cast<double>(product.reduction());
  cost_ = c.from_memory * window_cost(product) + window_packing_cost(product) + row * static_cast<double>(product.n);
}

void RowBlocks::start(const float* w, float* memory) const noexcept {
  if (packs_first_) pack_weights(plan_.product, w, packed_.in(memory));
}

void RowBlocks::multiply(WindowTensors tensors, std::int64_t count, float* memory) const noexcept {
  CONV2D_DCHECK(count >= 1 && count <= block_);
  WindowPlan plan = plan_;
  plan.product.n = count;
  tensors.packed = packs_first_ ? packed_.in(memory) : nullptr;
  WindowRunner windows(plan, tensors, memory);
  for (std::int64_t t = 0; t < plan.steps(); ++t) windows.step(t);
}

}  // namespace conv2d::engine
