#include <array>

#include "desc/windows.hpp"
#include "teaching_loops/teaching_loops.hpp"

namespace conv2d::teaching_loops {
namespace {

/// One of the indices that the sum of a cell runs over: its count, and its steps in dy and in w.
struct SumAxis {
  std::int64_t count, dy, w;
};

/// The sum over three indices; the last one is summed in chains (see dot).
float sum_of_products(const std::array<SumAxis, 3>& axes, const float* dy, const float* w) noexcept {
  float sum = 0.0F;
  for (std::int64_t s = 0; s < axes[0].count; ++s) {
    for (std::int64_t t = 0; t < axes[1].count; ++t) {
      sum += dot(axes[2].count, dy + s * axes[0].dy + t * axes[1].dy, axes[2].dy, w + s * axes[0].w + t * axes[1].w,
                 axes[2].w);
    }
  }
  return sum;
}

}  // namespace

void gather_cells(const Geometry& g, const Operands& o, Range cells) noexcept {
  const auto dy = y_view(o.dy, g);
  const auto w = w_view(o.w, g);
  const auto dx = x_view(o.out, g);
  const SumAxis filters{g.group_k, dy.stride_3, w.stride_3};
  // The outputs that use a cell are found once for all its channels: their taps are equally spaced.
  const auto gather = [&](std::int64_t n, std::int64_t row, const PhaseAxis& rows, const PhaseAxis& cols,
                          std::int64_t m) {
    const Range p = taps_of_cell(rows, row / g.stride_h, g.oh);
    const Range q = taps_of_cell(cols, m, g.ow);
    float* cell = &dx(n, row, cols.first_cell + m * g.stride_w, 0);
    if (p.size() == 0 || q.size() == 0) {
      for (std::int64_t c = 0; c < g.c; ++c) cell[c * dx.stride_3] = 0.0F;
      return;
    }
    const float* first_dy = &dy(n, rows.first_output + row / g.stride_h - p.begin * rows.output_step,
                                cols.first_output + m - q.begin * cols.output_step, 0);
    const float* first_w = &w(rows.first_tap + p.begin * rows.tap_step, cols.first_tap + q.begin * cols.tap_step, 0, 0);
    const SumAxis row_taps{p.size(), -stride_of(p.size(), rows.output_step, dy.stride_1),
                           stride_of(p.size(), rows.tap_step, w.stride_0)};
    const SumAxis column_taps{q.size(), -stride_of(q.size(), cols.output_step, dy.stride_2),
                              stride_of(q.size(), cols.tap_step, w.stride_1)};
    const std::array<SumAxis, 3> axes =
        g.group_k >= q.size() ? std::array{row_taps, column_taps, filters} : std::array{filters, row_taps, column_taps};
    for (std::int64_t group = 0; group < g.groups; ++group) {
      for (std::int64_t c = 0; c < g.group_c; ++c) {
        cell[(group * g.group_c + c) * dx.stride_3] =
            sum_of_products(axes, first_dy + group * g.group_k * dy.stride_3,
                            first_w + group * g.group_k * w.stride_3 + c * w.stride_2);
      }
    }
  };
  for_each_phase_of_rows(
      g, cells, [&](std::int64_t n, std::int64_t row, const PhaseAxis& rows, const PhaseAxis& cols, Range phase) {
        for (std::int64_t m = phase.begin; m < phase.end; ++m) gather(n, row, rows, cols, m);
      });
}

constexpr LoopKernel kBackwardDataGather{
    // Finding the outputs of a cell takes divisions, which cost as much as many multiply-adds.
    .cost =
        [](const Geometry& g, const cost::Loops& c) {
          return c.gather_mac * static_cast<double>(g.macs()) + c.gather_cell * static_cast<double>(g.n * g.h * g.w);
        },
    .run =
        [](const Geometry& g, const Operands& o, float*, const ProgressHook& progress) noexcept {
          return in_chunks(g.n * g.h * g.w, g.w_size / g.stride_h / g.stride_w, progress,
                           [&](Range cells) { gather_cells(g, o, cells); });
        }};

}  // namespace conv2d::teaching_loops
