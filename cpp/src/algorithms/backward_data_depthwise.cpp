#include <algorithm>

#include "algorithms/depthwise.hpp"
#include "algorithms/depthwise_blocks.hpp"
#include "algorithms/loops.hpp"
#include "algorithms/window_products.hpp"
#include "desc/windows.hpp"
#include "gemm/workspace.hpp"

namespace conv2d::algorithm {
namespace {

std::int64_t taps_of(const Geometry& g) { return g.kh * g.kw; }

/// With stride 1 dx is one product, of windows of dy.
gemm::WindowProduct single_phase(const Geometry& g, const Operands& o) noexcept { return phase_product(g, o, 0, 0); }
bool has_single_phase(const Geometry& g) noexcept { return g.stride_h == 1 && g.stride_w == 1; }

bool in_blocks(const Geometry& g) noexcept { return has_single_phase(g) && in_channel_blocks(g, single_phase(g, {})); }

/// The repeated weights, and the gradients of a row's filters before those of a channel are added.
std::int64_t workspace_floats(const Geometry& g) {
  const std::int64_t floats = repeated_row_floats(g, taps_of(g) + 1);
  const std::int64_t copy = in_blocks(g) ? channel_block_floats(g, single_phase(g, {})) : 0;
  return floats < 0 ? -1 : gemm::WorkspaceSize().add(floats).add(copy).floats();
}

/// One division per cell, row tap and column tap tells which output reads the cell.
double cost(const Geometry& g) {
  constexpr double kCyclesPerDivision = 8.0;
  const double searches = static_cast<double>(g.n * g.h * g.w) / static_cast<double>(pixels_per_row(g));
  return depthwise_cost(g) + kCyclesPerDivision * searches * static_cast<double>(taps_of(g));
}

double error_bound(const Geometry& g) { return sum_error_bound(taps_of(g) + g.group_k); }

/// out[c] = sum of the group_k filters of channel c.
void sum_filters(const Geometry& g, std::int64_t channels, const float* filters, float* out) noexcept {
  for (std::int64_t c = 0; c < channels; ++c) {
    float sum = 0.0F;
    for (std::int64_t r = 0; r < g.group_k; ++r) sum += filters[c * g.group_k + r];
    out[c] = sum;
  }
}

/// Where the gathering of one row of dx reads and writes.
struct DxRow {
  const float* dy = nullptr;  ///< of the image
  std::int64_t row = 0;
  float* dx = nullptr;       ///< of the row
  float* filters = nullptr;  ///< scratch for a row of filters
};

/// Cells (row, col) .. (row, col + pixels): gathers every output whose window covers them. `w` is repeated for as many.
void input_cells(const Geometry& g, const DxRow& to, const float* w, std::int64_t col, std::int64_t pixels) noexcept {
  float* dx = to.dx + col * g.c;
  ProductRows sum(pixels * g.k, nullptr, g.group_k == 1 ? dx : to.filters);
  for (std::int64_t p = 0; p < g.kh; ++p) {
    const std::int64_t i = window_at(to.row + g.padding.top, p * g.dilation_h, g.stride_h, g.oh);
    if (i < 0) continue;
    for (std::int64_t q = 0; q < g.kw; ++q) {
      const std::int64_t j = window_at(col + g.padding.left, q * g.dilation_w, g.stride_w, g.ow);
      if (j >= 0) sum.add(to.dy + (i * g.ow + j) * g.k, w + (p * g.kw + q) * pixels * g.k);
    }
  }
  sum.flush();
  if (g.group_k > 1) sum_filters(g, pixels * g.c, to.filters, dx);
}

/// The taps through which row `row` of dx is read by a row of dy (stride 1).
Range row_taps_of_cell(const Geometry& g, std::int64_t row) noexcept {
  const std::int64_t padded = row + g.padding.top;
  const std::int64_t first = std::max<std::int64_t>(0, padded - (g.oh - 1));
  return {ceil_div(first, g.dilation_h), std::min(g.kh, padded / g.dilation_h + 1)};
}

/// The cells of a row in `cols`, which every column tap reads, and the row taps of `rows` (stride 1): against the
/// direction of the taps, dy is read as forward reads x.
void input_row(const Geometry& g, const Operands& o, const DxRow& to, Range rows, Range cols) noexcept {
  const std::int64_t i = to.row + g.padding.top - rows.begin * g.dilation_h;
  sum_tap_rows(g, rows,
               {.cells = {.data = to.dy + (i * g.ow + cols.begin + g.padding.left) * g.k,
                          .row = -stride_of(rows.size(), g.dilation_h, g.ow * g.k),
                          .column = -stride_of(g.kw, g.dilation_w, g.k),
                          .pixel = g.k},
                .w = o.w + rows.begin * g.kw * g.k,
                .w_row = g.kw * g.k,
                .w_column = g.k,
                .out = to.dx + cols.begin * g.c,
                .out_pixel = g.c,
                .pixels = cols.size(),
                .channels = g.c},
               nullptr);
}

int shares(const Geometry& g, int most) {
  const std::int64_t pieces = in_blocks(g) ? channel_blocks(single_phase(g, {})) : g.n * g.h;
  return static_cast<int>(std::min<std::int64_t>(most, pieces));
}

bool run(const Geometry& g, const Operands& o, float* workspace, const ProgressHook& progress) noexcept {
  const std::int64_t pixels = pixels_per_row(g);
  gemm::Workspace scratch(workspace);
  float* filters = scratch.take(repeated_row_floats(g, taps_of(g) + 1));
  if (in_blocks(g)) {
    const gemm::WindowProduct product = single_phase(g, o);
    return run_channel_blocks(product, o.share, scratch.take(channel_block_floats(g, product)), progress);
  }
  float* repeated_w = filters + repeated_row_floats(g, 1);
  if (pixels > 1) repeat_rows(g, o.w, taps_of(g), repeated_w);
  // The cells that an output reads through every tap (stride 1).
  const Range interior{std::clamp<std::int64_t>(g.dilated_kw - 1 - g.padding.left, 0, g.w),
                       std::clamp<std::int64_t>(g.ow - g.padding.left, 0, g.w)};
  const bool in_tap_rows = has_tap_rows(g) && has_single_phase(g) && interior.size() > 0;
  const Range lines = o.share.of(g.n * g.h);
  return in_portions(lines.size(), g.w * g.k * taps_of(g), progress, [&](Range rows) {
    for (std::int64_t t = lines.begin + rows.begin; t < lines.begin + rows.end; ++t) {
      const DxRow to{o.dy + t / g.h * g.oh * g.ow * g.k, t % g.h, o.out + t * g.w * g.c, filters};
      const Range taps = row_taps_of_cell(g, to.row);
      if (in_tap_rows && taps.size() > 0) {
        for (std::int64_t col = 0; col < g.w; ++col) {
          if (col == interior.begin) {
            input_row(g, o, to, taps, interior);
            col = interior.end;
            if (col == g.w) break;
          }
          input_cells(g, to, o.w, col, 1);
        }
        continue;
      }
      cover_positions(
          g.w, interior, pixels, [&](std::int64_t col) { input_cells(g, to, o.w, col, 1); },
          [&](std::int64_t col) { input_cells(g, to, repeated_w, col, pixels); });
    }
  });
}

}  // namespace

extern const Entry backward_data_depthwise = {
    .name = "depthwise",
    .pass = Pass::backward_data,
    .description =
        "One channel per filter: every cell of x gathers the outputs that read it, a register of channels at "
        "a time.",
    .layouts = Layouts::nhwc_only,
    .why_not = why_not_depthwise,
    .workspace_floats = workspace_floats,
    .cost = cost,
    .error_bound = error_bound,
    .division = divided({.shares = shares}),
    .run = run,
};

}  // namespace conv2d::algorithm
