#include "teaching_loops/teaching_loops.hpp"

namespace conv2d::teaching_loops {

void forward_positions(const Geometry& g, const Operands& o, Range positions) noexcept {
  const auto x = x_view(o.x, g);
  const auto w = w_view(o.w, g);
  const auto y = y_view(o.out, g);
  for_each_position(positions, g.oh, g.ow, [&](std::int64_t n, std::int64_t i, std::int64_t j) {
    const Range rows = row_taps(g, i);
    const Range cols = column_taps(g, j);
    for (std::int64_t k = 0; k < g.k; ++k) {
      const std::int64_t first_c = k / g.group_k * g.group_c;
      float sum = o.b ? o.b[k] : 0.0F;
      for (std::int64_t p = rows.begin; p < rows.end; ++p) {
        for (std::int64_t q = cols.begin; q < cols.end; ++q) {
          for (std::int64_t c = 0; c < g.group_c; ++c) {
            sum += x(n, x_row(g, i, p), x_column(g, j, q), first_c + c) * w(p, q, c, k);
          }
        }
      }
      y(n, i, j, k) = sum;
    }
  });
}

constexpr LoopKernel kForwardDirect{
    // One multiply-add at a time, each with its address computation.
    .cost = [](const Geometry& g, const cost::Loops& c) { return c.direct_mac * static_cast<double>(g.macs()); },
    .run =
        [](const Geometry& g, const Operands& o, float*, const ProgressHook& progress) noexcept {
          return in_chunks(g.n * g.oh * g.ow, g.w_size, progress,
                           [&](Range positions) { forward_positions(g, o, positions); });
        }};

}  // namespace conv2d::teaching_loops
