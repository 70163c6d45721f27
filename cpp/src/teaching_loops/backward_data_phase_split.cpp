#include <algorithm>

#include "desc/windows.hpp"
#include "teaching_loops/contraction.hpp"
#include "teaching_loops/full_convolution.hpp"

namespace conv2d::teaching_loops {
namespace {

/// One tap of a sub-kernel on rows x cols cells of its phase.
Contraction tap_on_phase(const Geometry& g, std::int64_t rows, std::int64_t cols) noexcept {
  const auto dy = y_view<const float>(nullptr, g);
  const auto w = swapped_view<const float>(nullptr, g);
  const auto dx = x_view<const float>(nullptr, g);
  return {
      {g.n, dy.stride_0, 0, dx.stride_0},
      {rows, dy.stride_1, 0, stride_of(rows, g.stride_h, dx.stride_1)},
      {cols, dy.stride_2, 0, stride_of(cols, g.stride_w, dx.stride_2)},
      {g.groups, dy.stride_3 * g.group_k, w.stride_3 * g.group_c, dx.stride_3 * g.group_c},
      {g.group_c, 0, w.stride_3, dx.stride_3},
      {g.group_k, dy.stride_3, w.stride_2, 0},
  };
}

/// Adds the contribution of one tap of a phase's sub-kernel to all cells of the phase.
bool add_tap(const Geometry& g, const Operands& o, const float* kernel, const Phase& phase, std::int64_t row_tap,
             std::int64_t column_tap, Progress& progress) noexcept {
  const Range rows = cells_of_tap(phase.rows, row_tap, g.oh);
  const Range cols = cells_of_tap(phase.cols, column_tap, g.ow);
  if (rows.size() == 0 || cols.size() == 0 || g.n == 0) return true;
  const std::int64_t i = phase.rows.first_output - row_tap * phase.rows.output_step + rows.begin;
  const std::int64_t j = phase.cols.first_output - column_tap * phase.cols.output_step + cols.begin;
  const std::int64_t p = phase.rows.first_tap + row_tap * phase.rows.tap_step;
  const std::int64_t q = phase.cols.first_tap + column_tap * phase.cols.tap_step;
  const std::int64_t row = phase.rows.first_cell + rows.begin * g.stride_h;
  const std::int64_t col = phase.cols.first_cell + cols.begin * g.stride_w;
  return tap_on_phase(g, rows.size(), cols.size())
      .run(&y_view(o.dy, g)(0, i, j, 0), &swapped_view(kernel, g)(p, q, 0, 0), &x_view(o.out, g)(0, row, col, 0),
           progress);
}

double cost(const Geometry& g, const cost::Loops& c) {
  const double per_mac = tap_on_phase(g, g.h / g.stride_h, g.w / g.stride_w).cycles_per_mac(c);
  return per_mac * static_cast<double>(g.macs()) + c.cleared_float * static_cast<double>(g.x_size);
}

bool run(const Geometry& g, const Operands& o, float* workspace, const ProgressHook& hook) noexcept {
  // A sub-kernel has every tap_step-th tap of w. With the axes swapped once, its channels have the order of dx.
  swap_weight_channels(g, o.w, false, workspace);
  std::fill_n(o.out, g.x_size, 0.0F);
  Progress progress(hook, g.macs());
  for (std::int64_t row = 0; row < row_phases(g); ++row) {
    for (std::int64_t col = 0; col < column_phases(g); ++col) {
      const Phase phase{row_phase(g, row), column_phase(g, col)};
      for (std::int64_t p = 0; p < phase.rows.taps; ++p) {
        for (std::int64_t q = 0; q < phase.cols.taps; ++q) {
          if (!add_tap(g, o, workspace, phase, p, q, progress)) return false;
        }
      }
    }
  }
  return true;
}

}  // namespace

constexpr LoopKernel kBackwardDataPhaseSplit{
    .cost = cost, .run = run, .scratch = [](const Geometry& g) noexcept { return CheckedInt(g.w_size); }};

}  // namespace conv2d::teaching_loops
