#include "algorithms/entry.hpp"
#include "algorithms/sequential.hpp"
#include "desc/checked.hpp"
#include "transforms/full_convolution.hpp"
#include "transforms/pad.hpp"
#include "transforms/strided_view.hpp"

namespace conv2d::algorithm {

void full_conv_cells(const Geometry& g, const float* spread, const float* kernel, float* dx, Range cells) noexcept {
  const SpreadGrid grid = full_grid(g);
  const auto dy = activation_view(spread, g.layout, grid.rows, grid.cols, g.k);
  const auto w = exchanged_view(kernel, g);
  const auto out = x_view(dx, g);
  for_each_position(cells, g.h, g.w, [&](std::int64_t n, std::int64_t row, std::int64_t col) {
    for (std::int64_t c = 0; c < g.c; ++c) out(n, row, col, c) = 0.0F;
    // The whole result covers the padding ring of x as well. Cropping is to start top and left of it.
    for (std::int64_t p = 0; p < g.kh; ++p) {
      const std::int64_t dy_row = row + g.padding.top + p * g.dilation_h;
      for (std::int64_t q = 0; q < g.kw; ++q) {
        const std::int64_t dy_col = col + g.padding.left + q * g.dilation_w;
        for (std::int64_t k = 0; k < g.k; ++k) {
          const std::int64_t first_c = k / g.group_k * g.group_c;
          add_scaled(g.group_c, dy(n, dy_row, dy_col, k), &w(p, q, k % g.group_k, first_c), w.stride_3,
                     &out(n, row, col, first_c), out.stride_3);
        }
      }
    }
  });
}

namespace {

std::int64_t workspace_floats(const Geometry& g) {
  const std::int64_t spread = full_spread_floats(g);
  const CheckedInt floats = CheckedInt(spread) + g.w_size;
  return spread >= 0 && floats.fits() && floats.value() <= kMaxFloats ? floats.value() : -1;
}

// Multiplies by the inserted zeros too: stride_h * stride_w times the work that dy asks for.
double cost(const Geometry& g) { return 1.5 * static_cast<double>(g.n * g.h * g.w) * static_cast<double>(g.w_size); }

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
