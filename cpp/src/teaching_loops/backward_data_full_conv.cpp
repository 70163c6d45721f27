#include "desc/windows.hpp"
#include "teaching_loops/contraction.hpp"
#include "teaching_loops/full_convolution.hpp"

namespace conv2d::teaching_loops {
namespace {

/// `cells` cells of a row of dx that are stride_w apart, from the window of the upsampled dy over the first one. Their
/// windows have dy under the same taps, and inserted zeros under the others.
Contraction flipped_kernel_on_row(const Geometry& g, const PhaseAxis& rows, std::int64_t row_taps,
                                  const PhaseAxis& cols, std::int64_t cells) noexcept {
  const UpsampledGrid grid = full_grid(g);
  const auto dy = activation_view<const float>(nullptr, g.layout, grid.rows, grid.cols, g.k);
  const auto w = swapped_view<const float>(nullptr, g);
  const auto dx = x_view<const float>(nullptr, g);
  return {
      {cells, stride_of(cells, g.stride_w, dy.stride_2), 0, stride_of(cells, g.stride_w, dx.stride_2)},
      {g.groups, dy.stride_3 * g.group_k, w.stride_3 * g.group_c, dx.stride_3 * g.group_c},
      {g.group_c, 0, w.stride_3, dx.stride_3},
      {row_taps, stride_of(row_taps, rows.tap_step, stride_of(g.kh, g.dilation_h, dy.stride_1)),
       stride_of(row_taps, rows.tap_step, w.stride_0), 0},
      {cols.taps, stride_of(cols.taps, cols.tap_step, stride_of(g.kw, g.dilation_w, dy.stride_2)),
       stride_of(cols.taps, cols.tap_step, w.stride_1), 0},
      {g.group_k, dy.stride_3, w.stride_2, 0},
  };
}

/// The tap of the flipped kernel for tap number t of the axis.
constexpr std::int64_t flipped_tap(const PhaseAxis& axis, std::int64_t t, std::int64_t kernel) noexcept {
  return kernel - 1 - axis.first_tap - t * axis.tap_step;
}

double cost(const Geometry& g, const cost::Loops& c) {
  // Estimates an even share of taps and cells for each phase: counting the taps of a phase could take as long as the
  // kernel.
  const PhaseAxis rows{.tap_step = g.stride_h, .taps = 1 + (g.kh - 1) / g.stride_h};
  const PhaseAxis cols{
      .cells = 1 + (g.w - 1) / g.stride_w, .tap_step = g.stride_w, .taps = 1 + (g.kw - 1) / g.stride_w};
  const double strides = static_cast<double>(g.stride_h) * static_cast<double>(g.stride_w);
  const double macs = static_cast<double>(g.n * g.h * g.w) * static_cast<double>(g.w_size) / strides;
  return flipped_kernel_on_row(g, rows, rows.taps, cols, cols.cells).cycles_per_mac(c) * macs +
         c.upsampled_float * static_cast<double>(full_grid_floats(g).value_or(0));
}

bool run(const Geometry& g, const Operands& o, float* workspace, const ProgressHook& progress) noexcept {
  float* flipped = workspace;
  float* upsampled = workspace + g.w_size;
  swap_weight_channels(g, o.w, true, flipped);
  upsample_dy(g, full_grid(g), o.dy, upsampled);
  // Whole rows: the cells of a row are the inner loop where they are contiguous in memory.
  return in_chunks(g.n * g.h, g.w_size / g.stride_h / g.stride_w * g.w, progress, [&](Range rows) {
    full_conv_cells(g, upsampled, flipped, o.out, {rows.begin * g.w, rows.end * g.w});
  });
}

}  // namespace

void full_conv_cells(const Geometry& g, const float* upsampled, const float* kernel, float* dx, Range cells) noexcept {
  const UpsampledGrid grid = full_grid(g);
  const auto dy = activation_view(upsampled, g.layout, grid.rows, grid.cols, g.k);
  const auto w = swapped_view(kernel, g);
  const auto out = x_view(dx, g);
  Progress silent({}, 0);
  const auto convolve = [&](std::int64_t n, std::int64_t row, const PhaseAxis& rows, const PhaseAxis& cols, Range m) {
    const std::int64_t first_col = cols.first_cell + m.begin * g.stride_w;
    const std::int64_t cell_step = stride_of(m.size(), g.stride_w, out.stride_2);
    float* first = &out(n, row, first_col, 0);
    for (std::int64_t t = 0; t < m.size(); ++t) {
      for (std::int64_t c = 0; c < g.c; ++c) first[t * cell_step + c * out.stride_3] = 0.0F;
    }
    const Range p = taps_of_cell(rows, row / g.stride_h, g.oh);
    if (p.size() == 0 || cols.taps == 0) return;
    const std::int64_t first_p = flipped_tap(rows, p.end - 1, g.kh);
    const std::int64_t first_q = flipped_tap(cols, cols.taps - 1, g.kw);
    // The whole result also covers the padding of x. The window starts below and to the right of it, which crops the
    // result.
    const float* window =
        &dy(n, row + g.padding.top + first_p * g.dilation_h, first_col + g.padding.left + first_q * g.dilation_w, 0);
    static_cast<void>(flipped_kernel_on_row(g, rows, p.size(), cols, m.size())
                          .run(window, &w(first_p, first_q, 0, 0), first, silent));
  };
  for_each_phase_of_rows(g, cells, convolve);
}

constexpr LoopKernel kBackwardDataFullConv{
    .cost = cost, .run = run, .scratch = [](const Geometry& g) noexcept { return full_grid_floats(g) + g.w_size; }};

CheckedInt full_grid_floats(const Geometry& g) noexcept {
  const CheckedInt rows = CheckedInt(padded_h(g)) + g.dilated_kh - 1;
  const CheckedInt cols = CheckedInt(padded_w(g)) + g.dilated_kw - 1;
  return rows * cols * g.k * g.n;
}

}  // namespace conv2d::teaching_loops
