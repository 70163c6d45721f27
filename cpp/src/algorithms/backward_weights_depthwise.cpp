#include <algorithm>

#include "algorithms/depthwise.hpp"
#include "algorithms/loops.hpp"
#include "desc/windows.hpp"
#include "gemm/workspace.hpp"

namespace conv2d::algorithm {
namespace {

std::int64_t taps_of(const Geometry& g) { return g.kh * g.kw; }

std::int64_t workspace_floats(const Geometry& g) {
  const std::int64_t image = repeated_image_floats(g);
  const std::int64_t sums = repeated_row_floats(g, taps_of(g));
  return image < 0 || sums < 0 ? -1 : gemm::WorkspaceSize().add(image).add(sums).floats();
}

double error_bound(const Geometry& g) { return sum_error_bound(g.n * g.oh * g.ow); }

/// Pixels of fewer channels fill no register: they are summed channel by channel, along the row.
constexpr std::int64_t kNarrow = 8;

/// The sums that grow into dw: one row per tap, `pixels` pixels wide.
struct TapSums {
  float* rows = nullptr;
  std::int64_t pixels = 1;
  float* dw = nullptr;  ///< for the pixels that do not fill a row
};

/// Adds what one row of dy contributes to every tap. `image` has a channel per filter.
void add_output_row(const Geometry& g, const float* image, const float* dy, std::int64_t i,
                    const TapSums& sums) noexcept {
  const Range rows = row_taps(g, i);
  const std::int64_t x_step = g.stride_w > g.w ? 0 : g.stride_w * g.k;  // wider than x: no second output to step to
  for (std::int64_t p = rows.begin; p < rows.end; ++p) {
    const float* x = image + x_row(g, i, p) * g.w * g.k;
    for (std::int64_t q = 0; q < g.kw; ++q) {
      const Range outputs = inside(g.ow, g.stride_w, x_column(g, 0, q), g.w);
      const std::int64_t tap = p * g.kw + q;
      float* wide = sums.rows + tap * sums.pixels * g.k;
      float* single = sums.dw + tap * g.k;
      std::int64_t j = outputs.begin;
      // A single row of products is not worth its call.
      if (outputs.size() >= 2 * sums.pixels && sums.pixels > 1) {
        ProductRows wide_sum(sums.pixels * g.k, wide, wide);
        for (; j + sums.pixels <= outputs.end; j += sums.pixels)
          wide_sum.add(x + x_column(g, j, q) * g.k, dy + j * g.k);
        wide_sum.flush();
      }
      if (j >= outputs.end) continue;
      if (g.k < kNarrow) {
        for (std::int64_t k = 0; k < g.k; ++k) {
          single[k] += dot(outputs.end - j, x + x_column(g, j, q) * g.k + k, x_step, dy + j * g.k + k, g.k);
        }
        continue;
      }
      ProductRows single_sum(g.k, single, single);
      for (; j < outputs.end; ++j) single_sum.add(x + x_column(g, j, q) * g.k, dy + j * g.k);
      single_sum.flush();
    }
  }
}

/// As add_output_row, for whole registers of channels: the pixels that all column taps read go tap block by tap block,
/// those at the edges tap by tap.
void add_output_row_by_taps(const Geometry& g, const float* image, const float* dy, std::int64_t i,
                            float* dw) noexcept {
  const Range rows = row_taps(g, i);
  const Range whole = interior_columns(g);
  const std::int64_t x_line = stride_of(rows.size(), g.dilation_h, g.w * g.c);
  const std::int64_t x_tap = stride_of(g.kw, g.dilation_w, g.c);
  for_each_tap_block(
      whole.size() > 0 ? rows.size() : 0, g.kw,
      [&](const micro_kernels::TapKernels& kernels, std::int64_t p, std::int64_t q) {
        const std::int64_t cell = x_row(g, i, rows.begin + p) * g.w + x_column(g, whole.begin, q);
        kernels.products({.cells = {image + cell * g.c, x_line, x_tap, stride_of(whole.size(), g.stride_w, g.c)},
                          .dy = dy + whole.begin * g.k,
                          .dy_pixel = g.k,
                          .dw = dw + ((rows.begin + p) * g.kw + q) * g.k,
                          .dw_row = g.kw * g.k,
                          .dw_column = g.k,
                          .pixels = whole.size(),
                          .channels = g.k});
      });
  for (std::int64_t p = rows.begin; p < rows.end; ++p) {
    const float* x = image + x_row(g, i, p) * g.w * g.c;
    for (std::int64_t q = 0; q < g.kw; ++q) {
      const Range outputs = inside(g.ow, g.stride_w, x_column(g, 0, q), g.w);
      float* sums = dw + (p * g.kw + q) * g.k;
      ProductRows edge(g.k, sums, sums);
      for (std::int64_t j = outputs.begin; j < outputs.end; ++j) {
        if (j == whole.begin && whole.size() > 0) j = whole.end;
        if (j < outputs.end) edge.add(x + x_column(g, j, q) * g.c, dy + j * g.k);
      }
      edge.flush();
    }
  }
}

/// Adds the pixels of each wide row up.
void fold_rows(const Geometry& g, const TapSums& sums) noexcept {
  const float* from = sums.rows;
  for (std::int64_t tap = 0; tap < taps_of(g); ++tap) {
    for (std::int64_t pixel = 0; pixel < sums.pixels; ++pixel) {
      for (std::int64_t k = 0; k < g.k; ++k) sums.dw[tap * g.k + k] += *from++;
    }
  }
}

bool run(const Geometry& g, const Operands& o, float* workspace, const ProgressHook& progress) noexcept {
  gemm::Workspace scratch(workspace);
  float* memory = scratch.take(repeated_image_floats(g));
  TapSums sums{.rows = o.out, .pixels = pixels_per_row(g), .dw = o.out};
  std::fill_n(o.out, g.w_size, 0.0F);
  if (sums.pixels > 1) {
    const std::int64_t floats = repeated_row_floats(g, taps_of(g));
    sums.rows = scratch.take(floats);
    std::fill_n(sums.rows, floats, 0.0F);
  }
  const float* image = nullptr;
  std::int64_t image_n = -1;
  const bool finished = in_portions(g.n * g.oh, g.ow * g.k * taps_of(g), progress, [&](Range rows) {
    for (std::int64_t t = rows.begin; t < rows.end; ++t) {
      const std::int64_t n = t / g.oh;
      if (n != image_n) image = repeat_channels(g, o.x, n, memory);
      image_n = n;
      const float* dy = o.dy + t * g.ow * g.k;
      if (has_tap_rows(g)) {
        add_output_row_by_taps(g, image, dy, t % g.oh, o.out);
      } else {
        add_output_row(g, image, dy, t % g.oh, sums);
      }
    }
  });
  if (sums.pixels > 1) fold_rows(g, sums);
  return finished;
}

}  // namespace

extern const Entry backward_weights_depthwise = {
    .name = "depthwise",
    .pass = Pass::backward_weights,
    .description =
        "One channel per filter: for every tap, rows of x times rows of dy, a register of channels at a time.",
    .layouts = Layouts::nhwc_only,
    .why_not = why_not_depthwise,
    .workspace_floats = workspace_floats,
    .cost = depthwise_cost,
    .error_bound = error_bound,
    .run = run,
};

}  // namespace conv2d::algorithm
