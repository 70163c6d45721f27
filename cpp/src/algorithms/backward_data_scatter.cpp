#include <algorithm>

#include "algorithms/entry.hpp"
#include "algorithms/sequential.hpp"
#include "transforms/strided_view.hpp"

namespace conv2d::algorithm {

void scatter_positions(const Geometry& g, const Operands& o, Range positions) noexcept {
  const auto dy = y_view(o.dy, g);
  const auto w = w_view(o.w, g);
  const auto dx = x_view(o.out, g);
  for_each_position(positions, g.oh, g.ow, [&](std::int64_t n, std::int64_t i, std::int64_t j) {
    const Range rows = row_taps(g, i);
    const Range cols = column_taps(g, j);
    for (std::int64_t group = 0; group < g.groups; ++group) {
      const std::int64_t first_c = group * g.group_c;
      for (std::int64_t k = group * g.group_k; k < (group + 1) * g.group_k; ++k) {
        const float factor = dy(n, i, j, k);
        // The stamp of this filter: all of w[:, :, :, k] times one number, where it lies on the image.
        for (std::int64_t p = rows.begin; p < rows.end; ++p) {
          for (std::int64_t q = cols.begin; q < cols.end; ++q) {
            add_scaled(g.group_c, factor, &w(p, q, 0, k), w.stride_2,
                       &dx(n, x_row(g, i, p), x_column(g, j, q), first_c), dx.stride_3);
          }
        }
      }
    }
  });
}

namespace {

// Every product is read, added and written back to memory.
double cost(const Geometry& g) { return 4.0 * static_cast<double>(g.macs() + g.x_size); }

double error_bound(const Geometry& g) { return sum_error_bound(g.kh * g.kw * g.group_k); }

bool run(const Geometry& g, const Operands& o, float*, const ProgressHook& progress) noexcept {
  std::fill_n(o.out, g.x_size, 0.0F);
  return in_portions(g.n * g.oh * g.ow, g.w_size, progress,
                     [&](Range positions) { scatter_positions(g, o, positions); });
}

}  // namespace

extern const Entry backward_data_scatter = {
    .name = "scatter",
    .pass = Pass::backward_data,
    .description = "Stamps w * dy[i, j] on dx for one output position after the other and lets the stamps add up.",
    .layouts = Layouts::both,
    .why_not = always_supported,
    .workspace_floats = no_workspace,
    .cost = cost,
    .error_bound = error_bound,
    .run = run,
};

}  // namespace conv2d::algorithm
