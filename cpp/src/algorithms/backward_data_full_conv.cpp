#include "algorithms/contraction.hpp"
#include "algorithms/entry.hpp"
#include "algorithms/sequential.hpp"
#include "desc/checked.hpp"
#include "transforms/full_convolution.hpp"
#include "transforms/pad.hpp"
#include "transforms/strided_view.hpp"

namespace conv2d::algorithm {

namespace {

/// `cols` neighbouring cells of a row of dx, from the window of the spread dy that the first one lies under.
Contraction turned_kernel_on_row(const Geometry& g, std::int64_t cols) noexcept {
  const float* const anywhere = nullptr;
  const SpreadGrid grid = full_grid(g);
  const auto dy = activation_view(anywhere, g.layout, grid.rows, grid.cols, g.k);
  const auto w = exchanged_view(anywhere, g);
  const auto dx = x_view(anywhere, g);
  return {
      {cols, dy.stride_2, 0, dx.stride_2},
      {g.groups, dy.stride_3 * g.group_k, w.stride_3 * g.group_c, dx.stride_3 * g.group_c},
      {g.group_c, 0, w.stride_3, dx.stride_3},
      {g.kh, stride_of(g.kh, g.dilation_h, dy.stride_1), w.stride_0, 0},
      {g.kw, stride_of(g.kw, g.dilation_w, dy.stride_2), w.stride_1, 0},
      {g.group_k, dy.stride_3, w.stride_2, 0},
  };
}

}  // namespace

void full_conv_cells(const Geometry& g, const float* spread, const float* kernel, float* dx, Range cells) noexcept {
  const SpreadGrid grid = full_grid(g);
  const auto dy = activation_view(spread, g.layout, grid.rows, grid.cols, g.k);
  const auto out = x_view(dx, g);
  Progress silent({}, 0);
  for_each_run(cells, g.h, g.w, [&](std::int64_t n, std::int64_t row, Range cols) {
    for (std::int64_t col = cols.begin; col < cols.end; ++col) {
      for (std::int64_t c = 0; c < g.c; ++c) out(n, row, col, c) = 0.0F;
    }
    // The whole result covers the padding ring of x as well. Cropping is to start below and right of it.
    const float* window = &dy(n, row + g.padding.top, cols.begin + g.padding.left, 0);
    static_cast<void>(turned_kernel_on_row(g, cols.size()).run(window, kernel, &out(n, row, cols.begin, 0), silent));
  });
}

namespace {

std::int64_t workspace_floats(const Geometry& g) {
  const std::int64_t spread = full_spread_floats(g);
  const CheckedInt floats = CheckedInt(spread) + g.w_size;
  return spread >= 0 && floats.fits() && floats.value() <= kMaxFloats ? floats.value() : -1;
}

// Multiplies by the inserted zeros too: stride_h * stride_w times the work that dy asks for.
double cost(const Geometry& g) {
  const double macs = static_cast<double>(g.n * g.h * g.w) * static_cast<double>(g.w_size);
  return turned_kernel_on_row(g, g.w).cycles_per_mac() * macs + static_cast<double>(full_spread_floats(g));
}

double error_bound(const Geometry& g) { return sum_error_bound(g.kh * g.kw * g.group_k); }

bool run(const Geometry& g, const Operands& o, float* workspace, const ProgressHook& progress) noexcept {
  float* turned = workspace;
  float* spread = workspace + g.w_size;
  exchange_weights(g, o.w, true, turned);
  spread_dy(g, full_grid(g), o.dy, spread);
  return in_portions(g.n * g.h * g.w, g.w_size, progress,
                     [&](Range cells) { full_conv_cells(g, spread, turned, o.out, cells); });
}

}  // namespace

std::int64_t full_spread_floats(const Geometry& g) noexcept {
  const CheckedInt rows = CheckedInt(padded_h(g)) + g.dilated_kh - 1;
  const CheckedInt cols = CheckedInt(padded_w(g)) + g.dilated_kw - 1;
  const CheckedInt floats = rows * cols * g.k * g.n;
  return floats.fits() && floats.value() <= kMaxFloats ? floats.value() : -1;
}

extern const Entry backward_data_full_conv = {
    .name = "full_conv",
    .pass = Pass::backward_data,
    .description =
        "A full convolution of dy, drawn apart by stride - 1 zeros and the remainder, with w turned by 180 "
        "degrees.",
    .layouts = Layouts::both,
    .why_not = always_supported,
    .workspace_floats = workspace_floats,
    .cost = cost,
    .error_bound = error_bound,
    .run = run,
};

}  // namespace conv2d::algorithm
