#include <algorithm>

#include "teaching_loops/teaching_loops.hpp"

namespace conv2d::teaching_loops {
namespace {

/// Weights that fit into a small cache, so that their order does not matter.
constexpr std::int64_t kCachedWeights = 1024;

}  // namespace

void scatter_positions(const Geometry& g, const Operands& o, Range positions) noexcept {
  const auto dy = y_view(o.dy, g);
  const auto w = w_view(o.w, g);
  const auto dx = x_view(o.out, g);
  const std::int64_t column_step = stride_of(g.kw, g.dilation_w, dx.stride_2);
  for_each_position(positions, g.oh, g.ow, [&](std::int64_t n, std::int64_t i, std::int64_t j) {
    const Range rows = row_taps(g, i);
    const Range cols = column_taps(g, j);
    if (cols.size() == 0) return;
    for (std::int64_t group = 0; group < g.groups; ++group) {
      const std::int64_t first_c = group * g.group_c;
      const std::int64_t first_k = group * g.group_k;
      // Adds the weights of all filters to the cells under the window, in an order that keeps w in the cache.
      if (g.group_k >= cols.size() && (w.stride_3 == 1 || g.w_size <= kCachedWeights)) {
        const float* factors = &dy(n, i, j, first_k);
        for (std::int64_t p = rows.begin; p < rows.end; ++p) {
          for (std::int64_t q = cols.begin; q < cols.end; ++q) {
            float* cell = &dx(n, x_row(g, i, p), x_column(g, j, q), first_c);
            for (std::int64_t c = 0; c < g.group_c; ++c) {
              cell[c * dx.stride_3] += dot(g.group_k, factors, dy.stride_3, &w(p, q, c, first_k), w.stride_3);
            }
          }
        }
        continue;
      }
      for (std::int64_t k = first_k; k < first_k + g.group_k; ++k) {
        const float factor = dy(n, i, j, k);
        for (std::int64_t p = rows.begin; p < rows.end; ++p) {
          const float* weights = &w(p, cols.begin, 0, k);
          float* cell = &dx(n, x_row(g, i, p), x_column(g, j, cols.begin), first_c);
          if (cols.size() < 3) {
            for (std::int64_t q = 0; q < cols.size(); ++q) {
              add_scaled(g.group_c, factor, weights + q * w.stride_1, w.stride_2, cell + q * column_step, dx.stride_3);
            }
          } else {
            for (std::int64_t c = 0; c < g.group_c; ++c) {
              add_scaled(cols.size(), factor, weights + c * w.stride_2, w.stride_1, cell + c * dx.stride_3,
                         column_step);
            }
          }
        }
      }
    }
  });
}

constexpr LoopKernel kBackwardDataScatter{
    // Every product is an addition in memory: read, added, written back.
    .cost = [](const Geometry& g,
               const cost::Loops& c) { return c.scatter_mac * static_cast<double>(g.macs() + g.x_size); },
    .run =
        [](const Geometry& g, const Operands& o, float*, const ProgressHook& progress) noexcept {
          std::fill_n(o.out, g.x_size, 0.0F);
          return in_chunks(g.n * g.oh * g.ow, g.w_size, progress,
                           [&](Range positions) { scatter_positions(g, o, positions); });
        }};

}  // namespace conv2d::teaching_loops
