#include "engines/products/matrices.hpp"

#include "check/check.hpp"

namespace conv2d::engine {
namespace {

/// One window, which begins at the first cell.
constexpr WindowAxis one_window(std::int64_t taps, std::int64_t size) noexcept {
  return {.windows = 1, .first = 0, .step = 1, .taps = taps, .dilation = 1, .size = size};
}

}  // namespace

WindowProduct x_col_product(const Geometry& g, const micro_kernels::KernelSet& kernels, ColumnOrder order,
                            std::int64_t rows) noexcept {
  CONV2D_DCHECK(g.layout == Layout::nhwc);
  WindowProduct p;
  p.kernels = &kernels;
  p.n = rows;
  p.out_channels = g.group_k;
  p.out_image = g.k;
  if (order == ColumnOrder::kh_kw_c) {
    // HWIO weights are w_col with rows k apart: a row of x_col is one cell.
    p.rows = p.cols = one_window(1, 1);
    p.channels = columns_of(g);
    p.weights = {.channel = g.k, .column = 1};
  } else {
    // A row of x_col is an image of group_c x (kh * kw) cells with one channel.
    const std::int64_t taps = g.kh * g.kw;
    p.rows = one_window(g.group_c, g.group_c);
    p.cols = one_window(taps, taps);
    p.channels = 1;
    p.weights = {.row = g.k, .col = g.group_c * g.k, .column = 1};
  }
  return p;
}

WindowProduct dx_col_product(const Geometry& g, const micro_kernels::KernelSet& kernels, std::int64_t rows) noexcept {
  CONV2D_DCHECK(g.layout == Layout::nhwc);
  // The filters of a group are one cell of dy; the other groups are further cells, which the window does not cover.
  WindowProduct p;
  p.kernels = &kernels;
  p.n = rows;
  p.rows = one_window(1, 1);
  p.cols = one_window(1, g.groups);
  p.channels = g.group_k;
  p.out_channels = columns_of(g);
  p.weights = {.channel = 1, .column = g.k};
  p.out_image = columns_of(g);
  return p;
}

}  // namespace conv2d::engine
