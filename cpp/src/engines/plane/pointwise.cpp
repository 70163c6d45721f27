#include "engines/plane/pointwise.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "base/errors.hpp"
#include "dcheck/dcheck.hpp"
#include "engines/windows/window_plan.hpp"

namespace conv2d::engine {
namespace {

/// A matrix in memory: the block of a group or of an image in a tensor.
struct Block {
  std::int64_t group = 0, image = 0;  ///< floats from one group's block to the next, and from one image's
  std::int64_t rows = 0, row = 0;     ///< number of rows, and floats from one to the next
};

/// out = left . right, for every group and image. The columns of `right` and `out` are adjacent in memory, or those of
/// `right` are `right_column` floats apart and its rows adjacent.
struct Matrices {
  WindowOperands operands;  ///< the left matrix and the right one
  Block left, right, out;
  std::int64_t reduction = 0, columns = 0;
  std::int64_t right_column = 1;
  InitialSums initial_sums = InitialSums::bias_of_columns;
};

Matrices matrices_of(const Geometry& g, Pass pass) noexcept {
  const std::int64_t pixels = g.h * g.w;
  const Block x{.group = g.group_c * pixels, .image = g.c * pixels, .rows = g.group_c, .row = pixels};
  const Block y{.group = g.group_k * pixels, .image = g.k * pixels, .rows = g.group_k, .row = pixels};
  const Block filters{.group = g.group_k * g.group_c, .rows = g.group_k, .row = g.group_c};  // OIHW
  const Block channels{.group = g.group_k, .rows = g.group_c, .row = g.k};                   // HWIO
  switch (pass) {
    case Pass::forward:  // y = w . x
      return {
          {&Operands::w, &Operands::x, &Operands::b}, filters, x, y, g.group_c, pixels, 1, InitialSums::bias_of_rows};
    case Pass::backward_data:  // dx = w^T . dy
      return {{&Operands::w, &Operands::dy}, channels, y, x, g.group_k, pixels};
    default:  // dw = dy . x^T, or its transpose x . dy^T, summed over the batch
      if (g.weights_layout == WeightsLayout::hwio) {
        return {{&Operands::x, &Operands::dy}, x, y, channels, pixels, g.group_k, pixels};
      }
      return {{&Operands::dy, &Operands::x}, y, x, filters, pixels, g.group_c, pixels};
  }
}

}  // namespace

std::string pointwise_unsupported_reason(const Geometry& g, Pass pass) {
  constexpr std::int64_t kMaxProducts = 1024;
  if (pass == Pass::forward && g.weights_layout == WeightsLayout::hwio) {
    return text("it needs contiguous filters: OIHW or OHWI");
  }
  if ((CheckedInt(g.n) * g.groups).value_or(kMaxProducts + 1) <= kMaxProducts) return {};
  return text("it supports at most ", kMaxProducts, " products (images x groups)");
}

bool is_pointwise(const Geometry& g) noexcept {
  return g.layout == Layout::nchw && g.kh * g.kw == 1 && g.oh == g.h && g.ow == g.w && g.padding == Padding{} &&
         g.stride_h == 1 && g.stride_w == 1;
}

ExecutablePointer prepare_pointwise(const Geometry& g, Pass pass, const PrepareOptions& options) {
  CONV2D_DCHECK(is_pointwise(g) && pointwise_unsupported_reason(g, pass).empty());
  const Matrices m = matrices_of(g, pass);
  CONV2D_DCHECK(m.left.row % m.reduction == 0);
  // Without an image dw is 0: a product without taps.
  const std::int64_t taps = g.n > 0 ? 1 : 0;
  // A row of the left matrix is a window. The rows of a block may be further apart than they are long.
  const std::int64_t step = m.left.row / m.reduction;
  std::vector<StridedMatmul> products(
      1,
      {.kernels = options.kernels,
       .n = 1,
       .rows = {.windows = m.left.rows, .step = step, .taps = taps, .size = m.left.rows * step},
       .cols = {.windows = 1, .taps = taps, .size = 1},
       .channels = m.reduction,
       .out_channels = m.columns,
       .weights = {.channel = m.right_column == 1 ? m.right.row : 1, .column = m.right_column},
       .weights_vary = true,
       .initial_sums = m.initial_sums,
       .out = {.row = m.out.row},
       .batch = {.images = g.n,
                 .groups = g.groups,
                 .image = {.image = m.left.image, .weights = m.right.image, .out = m.out.image},
                 .group = {.image = m.left.group, .weights = m.right.group, .bias = g.group_k, .out = m.out.group}}});
  if (pass == Pass::backward_weights) {
    // The first image writes dw, and the others add to it.
    StridedMatmul others = products[0];
    products[0].batch.images = 1;
    others.batch.images = g.n - 1;
    others.initial_sums = InitialSums::output;
    others.image_offset = m.left.image;
    others.weights.first = m.right.image;
    if (others.batch.images > 0) products.push_back(others);
  }
  return prepare_products(std::move(products), m.operands, options);
}

}  // namespace conv2d::engine
