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

/// The weights and the bias, repeated for a row of several pixels.
struct RowFactors {
  const float* w = nullptr;
  const float* b = nullptr;  ///< null: none
};

std::int64_t workspace_floats(const Geometry& g) {
  const std::int64_t image = repeated_image_floats(g);
  const std::int64_t factors = repeated_row_floats(g, taps_of(g) + 1);
  if (image < 0 || factors < 0) return -1;
  return gemm::WorkspaceSize().add(image).add(factors).add(channel_block_floats(g, forward_product(g, {}))).floats();
}

double error_bound(const Geometry& g) { return sum_error_bound(taps_of(g) + 1); }

/// Output positions (i, j) .. (i, j + pixels): all their taps, of which those of `cols` lie in the image. `image` has a
/// channel per filter.
void output_pixels(const Geometry& g, const RowFactors& factors, const float* image, std::int64_t i, std::int64_t j,
                   std::int64_t pixels, Range cols, float* y) noexcept {
  const Range rows = row_taps(g, i);
  ProductRows sum(pixels * g.k, factors.b, y + j * g.k);
  for (std::int64_t p = rows.begin; p < rows.end; ++p) {
    for (std::int64_t q = cols.begin; q < cols.end; ++q) {
      sum.add(image + (x_row(g, i, p) * g.w + x_column(g, j, q)) * g.k, factors.w + (p * g.kw + q) * pixels * g.k);
    }
  }
  sum.flush();
}

/// The positions of row i in `cols`, all of whose column taps lie in the image, and the row taps of `rows`.
void output_row(const Geometry& g, const Operands& o, const float* image, std::int64_t i, Range rows, Range cols,
                float* y) noexcept {
  sum_tap_rows(g, rows,
               {.cells = {.data = image + (x_row(g, i, rows.begin) * g.w + x_column(g, cols.begin, 0)) * g.c,
                          .row = stride_of(rows.size(), g.dilation_h, g.w * g.c),
                          .column = stride_of(g.kw, g.dilation_w, g.c),
                          .pixel = stride_of(cols.size(), g.stride_w, g.c)},
                .w = o.w + rows.begin * g.kw * g.k,
                .w_row = g.kw * g.k,
                .w_column = g.k,
                .out = y + cols.begin * g.k,
                .out_pixel = g.k,
                .pixels = cols.size(),
                .channels = g.k},
               o.b);
}

int shares(const Geometry& g, int most) {
  const gemm::WindowProduct product = forward_product(g, {});
  const std::int64_t pieces = in_channel_blocks(g, product) ? channel_blocks(product) : g.n * g.oh;
  return static_cast<int>(std::min<std::int64_t>(most, pieces));
}

bool run(const Geometry& g, const Operands& o, float* workspace, const ProgressHook& progress) noexcept {
  const std::int64_t pixels = pixels_per_row(g);
  gemm::Workspace scratch(workspace);
  float* memory = scratch.take(repeated_image_floats(g));
  float* repeated = scratch.take(repeated_row_floats(g, taps_of(g) + 1));
  if (const gemm::WindowProduct product = forward_product(g, o); in_channel_blocks(g, product)) {
    return run_channel_blocks(product, o.share, scratch.take(channel_block_floats(g, product)), progress);
  }
  const RowFactors one_pixel{o.w, o.b};
  RowFactors row{o.w, o.b};
  if (pixels > 1) {
    repeat_rows(g, o.w, taps_of(g), repeated);
    row.w = repeated;
    float* repeated_b = repeated + repeated_row_floats(g, taps_of(g));
    if (o.b) repeat_rows(g, o.b, 1, repeated_b);
    if (o.b) row.b = repeated_b;
  }
  // The positions whose taps all lie in the image.
  const Range interior{std::min(g.padding.left, g.ow), std::min(g.w + g.padding.left - g.dilated_kw + 1, g.ow)};
  const Range whole = interior_columns(g);
  const bool in_tap_rows = has_tap_rows(g) && whole.size() > 0;
  const float* image = nullptr;
  std::int64_t image_n = -1;
  const Range lines = o.share.of(g.n * g.oh);
  return in_portions(lines.size(), g.ow * g.k * taps_of(g), progress, [&](Range rows) {
    for (std::int64_t t = lines.begin + rows.begin; t < lines.begin + rows.end; ++t) {
      const std::int64_t n = t / g.oh;
      const std::int64_t i = t % g.oh;
      if (n != image_n) image = repeat_channels(g, o.x, n, memory);
      image_n = n;
      float* y = o.out + t * g.ow * g.k;
      if (const Range taps = row_taps(g, i); in_tap_rows && taps.size() > 0) {
        for (std::int64_t j = 0; j < g.ow; ++j) {
          if (j == whole.begin) {
            output_row(g, o, image, i, taps, whole, y);
            j = whole.end;
            if (j == g.ow) break;
          }
          output_pixels(g, one_pixel, image, i, j, 1, column_taps(g, j), y);
        }
        continue;
      }
      cover_positions(
          g.ow, interior, pixels,
          [&](std::int64_t j) { output_pixels(g, one_pixel, image, i, j, 1, column_taps(g, j), y); },
          [&](std::int64_t j) {
            output_pixels(g, row, image, i, j, pixels, {0, g.kw}, y);
          });
    }
  });
}

}  // namespace

extern const Entry forward_depthwise = {
    .name = "depthwise",
    .pass = Pass::forward,
    .description =
        "One channel per filter: the channels of a pixel lie side by side, and so do the filters of a tap, so "
        "that registers multiply them pairwise.",
    .layouts = Layouts::nhwc_only,
    .why_not = why_not_depthwise,
    .workspace_floats = workspace_floats,
    .cost = depthwise_cost,
    .error_bound = error_bound,
    .division = divided({.shares = shares}),
    .run = run,
};

}  // namespace conv2d::algorithm
