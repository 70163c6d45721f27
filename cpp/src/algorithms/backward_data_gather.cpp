#include "algorithms/entry.hpp"
#include "algorithms/sequential.hpp"
#include "transforms/strided_view.hpp"

namespace conv2d::algorithm {
void gather_cells(const Geometry& g, const Operands& o, Range cells) noexcept {
  const auto dy = y_view(o.dy, g);
  const auto w = w_view(o.w, g);
  const auto dx = x_view(o.out, g);
  for_each_position(cells, g.h, g.w, [&](std::int64_t n, std::int64_t row, std::int64_t col) {
    for (std::int64_t c = 0; c < g.c; ++c) dx(n, row, col, c) = 0.0F;
    for (std::int64_t p = 0; p < g.kh; ++p) {
      const std::int64_t i = window_at(row + g.padding.top, p * g.dilation_h, g.stride_h, g.oh);
      if (i < 0) continue;
      for (std::int64_t q = 0; q < g.kw; ++q) {
        const std::int64_t j = window_at(col + g.padding.left, q * g.dilation_w, g.stride_w, g.ow);
        if (j < 0) continue;
        for (std::int64_t c = 0; c < g.c; ++c) {
          const std::int64_t first_k = c / g.group_c * g.group_k;
          dx(n, row, col, c) +=
              dot(g.group_k, &dy(n, i, j, first_k), dy.stride_3, &w(p, q, c % g.group_c, first_k), w.stride_3);
        }
      }
    }
  });
}

namespace {

// The divisions that find the window cost as much as a few multiply-adds, and every tap of every cell pays for them.
double cost(const Geometry& g) {
  const double looked_at = static_cast<double>(g.n * g.h * g.w) * static_cast<double>(g.kh * g.kw);
  return 2.0 * static_cast<double>(g.macs()) + 10.0 * looked_at;
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
