#include "algorithms/entry.hpp"
#include "algorithms/sequential.hpp"
#include "transforms/strided_view.hpp"

namespace conv2d::algorithm {
namespace {

/// What one output sends back to one cell through one tap, for all channels of the cell.
struct TapOnCell {
  std::int64_t groups, group_c, group_k;
  std::int64_t dy_filter, w_channel, w_filter, dx_channel;  ///< strides

  void add(const float* dy, const float* w, float* dx) const noexcept {
    for (std::int64_t group = 0; group < groups; ++group) {
      for (std::int64_t c = 0; c < group_c; ++c) {
        dx[c * dx_channel] += dot(group_k, dy, dy_filter, w + c * w_channel, w_filter);
      }
      dy += group_k * dy_filter;
      w += group_k * w_filter;
      dx += group_c * dx_channel;
    }
  }
};

}  // namespace

void gather_cells(const Geometry& g, const Operands& o, Range cells) noexcept {
  const auto dy = y_view(o.dy, g);
  const auto w = w_view(o.w, g);
  const auto dx = x_view(o.out, g);
  const TapOnCell tap{g.groups, g.group_c, g.group_k, dy.stride_3, w.stride_2, w.stride_3, dx.stride_3};
  for_each_position(cells, g.h, g.w, [&](std::int64_t n, std::int64_t row, std::int64_t col) {
    float* cell = &dx(n, row, col, 0);
    for (std::int64_t c = 0; c < g.c; ++c) cell[c * dx.stride_3] = 0.0F;
    for (std::int64_t p = 0; p < g.kh; ++p) {
      const std::int64_t i = window_at(row + g.padding.top, p * g.dilation_h, g.stride_h, g.oh);
      if (i < 0) continue;
      for (std::int64_t q = 0; q < g.kw; ++q) {
        const std::int64_t j = window_at(col + g.padding.left, q * g.dilation_w, g.stride_w, g.ow);
        if (j >= 0) tap.add(&dy(n, i, j, 0), &w(p, q, 0, 0), cell);
      }
    }
  });
}

namespace {

// The divisions that find the window cost as much as a few multiply-adds, and every tap of every cell pays for them.
double cost(const Geometry& g) {
  const double looked_at = static_cast<double>(g.n * g.h * g.w) * static_cast<double>(g.kh * g.kw);
  return 3.0 * static_cast<double>(g.macs()) + 10.0 * looked_at;
}

double error_bound(const Geometry& g) { return sum_error_bound(g.kh * g.kw * g.group_k); }

bool run(const Geometry& g, const Operands& o, float*, const ProgressHook& progress) noexcept {
  return in_portions(g.n * g.h * g.w, g.w_size / g.stride_h / g.stride_w, progress,
                     [&](Range cells) { gather_cells(g, o, cells); });
}

}  // namespace

extern const Entry backward_data_gather = {
    .name = "gather",
    .pass = Pass::backward_data,
    .description =
        "Transposed convolution read backwards: each cell of x looks up the outputs that it fed, and collects "
        "dy times the weight it was multiplied with.",
    .layouts = Layouts::both,
    .why_not = always_supported,
    .workspace_floats = no_workspace,
    .cost = cost,
    .error_bound = error_bound,
    .run = run,
};

}  // namespace conv2d::algorithm
