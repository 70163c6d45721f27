#include "teaching_loops/teaching_loops.hpp"

namespace conv2d::teaching_loops {

void dilated_dy_positions(const Geometry& g, const Operands& o, PositionGrid grid, Range positions) noexcept {
  const auto x = x_view(o.x, g);
  const auto dy = y_view(o.dy, g);
  const auto dw = weights_view(o.out, g.weights_layout, grid.rows, grid.cols, g.group_c, g.k);
  // Contiguous filters are the inner loop, otherwise the outputs of a row are.
  const bool filters_together = dy.stride_3 == 1 && g.group_k >= 4;
  for_each_position(positions, grid.rows, grid.cols, [&](std::int64_t, std::int64_t u, std::int64_t v) {
    for (std::int64_t c = 0; c < g.group_c; ++c) {
      for (std::int64_t k = 0; k < g.k; ++k) dw(u, v, c, k) = 0.0F;
    }
    // dy is on x with its cells `stride` apart (dilated); each position is `dilation` further than the one before.
    const std::int64_t top = u * g.dilation_h - g.padding.top;
    const std::int64_t left = v * g.dilation_w - g.padding.left;
    const Range rows = inside(g.oh, g.stride_h, top, g.h);
    const Range cols = inside(g.ow, g.stride_w, left, g.w);
    if (cols.size() == 0) return;
    const std::int64_t x_step = stride_of(cols.size(), g.stride_w, x.stride_2);
    const auto add_row = [&](std::int64_t n, std::int64_t i, std::int64_t group, std::int64_t c) {
      const float* x_row = &x(n, top + i * g.stride_h, left + cols.begin * g.stride_w, group * g.group_c + c);
      const std::int64_t first_k = group * g.group_k;
      const float* dy_row = &dy(n, i, cols.begin, first_k);
      float* dw_row = &dw(u, v, c, first_k);
      if (filters_together) {
        for (std::int64_t j = 0; j < cols.size(); ++j) {
          add_scaled(g.group_k, x_row[j * x_step], dy_row + j * dy.stride_2, 1, dw_row, dw.stride_3);
        }
      } else {
        for (std::int64_t k = 0; k < g.group_k; ++k) {
          dw_row[k * dw.stride_3] += dot(cols.size(), x_row, x_step, dy_row + k * dy.stride_3, dy.stride_2);
        }
      }
    };
    for (std::int64_t n = 0; n < g.n; ++n) {
      for (std::int64_t i = rows.begin; i < rows.end; ++i) {
        for (std::int64_t group = 0; group < g.groups; ++group) {
          for (std::int64_t c = 0; c < g.group_c; ++c) add_row(n, i, group, c);
        }
      }
    }
  });
}

constexpr LoopKernel kBackwardWeightsDilatedDy{
    // One weight is read and written per product; in NCHW its step is that of the filters.
    .cost = [](const Geometry& g, const cost::Loops& c) { return c.dilated_mac * static_cast<double>(g.macs()); },
    .run =
        [](const Geometry& g, const Operands& o, float*, const ProgressHook& progress) noexcept {
          const PositionGrid cropped{g.kh, g.kw};  // only the positions of dw are computed
          return in_chunks(cropped.rows * cropped.cols, g.macs() / (g.kh * g.kw), progress,
                           [&](Range positions) { dilated_dy_positions(g, o, cropped, positions); });
        }};

}  // namespace conv2d::teaching_loops
