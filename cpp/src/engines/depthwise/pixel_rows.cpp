#include "engines/depthwise/pixel_rows.hpp"

#include "base/errors.hpp"
#include "cost/constants.hpp"
#include "dcheck/dcheck.hpp"

namespace conv2d::engine {

std::string depthwise_unsupported_reason(const Geometry& g, Pass) {
  if (g.group_c == 1) return {};
  return text("every filter reads ", g.group_c, " channels; depthwise needs groups = c, so that each reads one");
}

PixelRows PixelRows::of(const Geometry& g, const KernelSet& kernels) noexcept {
  CONV2D_DCHECK(g.layout == Layout::nhwc && g.group_c == 1);
  if (g.group_k == 1 && g.k % kernels.lanes == 0) return {.kernels = &kernels, .method = LineMethod::tap_tiles};
  // Four registers of AVX2. A wider row only leaves more pixels to the edges.
  constexpr std::int64_t kRow = 32;
  const std::int64_t interior = std::min(g.ow, g.w - g.dilated_kw + 1);
  if (g.stride_w != 1 || g.k >= kRow || interior < 2) return {.kernels = &kernels};
  return {.kernels = &kernels, .method = LineMethod::wide_rows, .pixels = std::min(interior, ceil_div(kRow, g.k))};
}

CheckedInt PixelRows::repeated_floats(const Geometry& g, std::int64_t rows) const noexcept {
  return CheckedInt(rows) * g.k * pixels;
}

void PixelRows::repeat(const Geometry& g, const float* from, std::int64_t rows, float* to) const noexcept {
  for (std::int64_t row = 0; row < rows; ++row) {
    for (std::int64_t r = 0; r < pixels; ++r) to = std::copy_n(from + row * g.k, g.k, to);
  }
}

double PixelRows::cost(const Geometry& g, std::int64_t lines, std::int64_t images) const noexcept {
  const cost::Depthwise& c = kernels->costs->depthwise;
  const std::int64_t lanes = kernels->lanes;
  const auto row_cycles = [&](std::int64_t columns) {
    const double per_tap = c.row_tap + c.register_tap * static_cast<double>(columns / lanes) +
                           c.scalar_tap * static_cast<double>(columns % lanes);
    return c.row + per_tap * static_cast<double>(g.kh * g.kw);
  };
  const std::int64_t in_rows = pixels > 1 ? std::min(g.ow, g.w - g.dilated_kw + 1) : 0;
  const double per_line = static_cast<double>(in_rows) / static_cast<double>(pixels) * row_cycles(pixels * g.k) +
                          static_cast<double>(g.ow - in_rows) * row_cycles(g.k);
  const double repeated = g.group_k == 1 ? 0.0 : c.repeated_float * static_cast<double>(images * g.h * g.w * g.k);
  return static_cast<double>(lines) * per_line + repeated;
}

CheckedInt repeated_image_floats(const Geometry& g) noexcept {
  return g.group_k == 1 ? CheckedInt(0) : CheckedInt(g.h) * g.w * g.k;
}

const float* repeat_channels(const Geometry& g, const float* x, std::int64_t n, float* memory) noexcept {
  const std::int64_t pixels = g.h * g.w;
  if (g.group_k == 1) return x + n * pixels * g.c;
  const float* from = x + n * pixels * g.c;
  float* to = memory;
  for (std::int64_t cell = 0; cell < pixels * g.c; ++cell) {
    for (std::int64_t r = 0; r < g.group_k; ++r) *to++ = from[cell];
  }
  return memory;
}

Range interior_columns(const Geometry& g) noexcept {
  const std::int64_t begin = inside(g.ow, g.stride_w, x_column(g, 0, 0), g.w).begin;
  return {begin, std::max(begin, inside(g.ow, g.stride_w, x_column(g, 0, g.kw - 1), g.w).end)};
}

Range with_neighbors(const Geometry& g, const KernelSet& kernels, Range interior, std::int64_t count,
                     std::int64_t first, std::int64_t step, std::int64_t size) noexcept {
  if (!kernels.reads_in_order() || g.kw != 3 || interior.size() == 0) return interior;
  const Range middle = inside(count, step, first, size);
  return {std::max(interior.begin - 1, std::min(interior.begin, middle.begin)),
          std::min(interior.end + 1, std::max(interior.end, middle.end))};
}

std::int64_t piece_of_line(const Geometry& g, const KernelSet& kernels) noexcept {
  if (kernels.reads_in_order()) return std::max(g.w, g.ow);
  // Half of a 32 kB L1.
  return std::max<std::int64_t>(8, 4096 / std::max<std::int64_t>(1, g.kh * g.k));
}

void sum_taps(const KernelSet& kernels, std::int64_t rows, std::int64_t columns, micro_kernels::TapSum sum,
              const float* b) noexcept {
  constexpr float kZeros[micro_kernels::kMaxLanes] = {};
  sum.start = b ? b : kZeros;
  sum.start_lanes = b ? kernels.lanes : 0;
  const micro_kernels::TapSum first = sum;
  std::int64_t left = rows * columns;
  for_each_tap_tile(kernels, rows, columns, [&](const micro_kernels::TapKernels& tile, std::int64_t p, std::int64_t q) {
    sum.cells.data = first.cells.data + p * sum.cells.row + q * sum.cells.column;
    sum.w = first.w + p * sum.w_row + q * sum.w_column;
    left -= std::int64_t{tile.rows} * tile.columns;
    sum.clamp = left == 0 ? first.clamp : nullptr;
    tile.sum(sum);
    sum.start = sum.out;
    sum.start_pixel = sum.out_pixel;
    sum.start_line = sum.out_line;
    sum.start_lanes = kernels.lanes;
  });
}

void ProductRows::flush() noexcept {
  product_sum_({.pairs = pairs_, .count = count_, .columns = columns_, .start = start_, .out = out_});
  start_ = out_;
  count_ = 0;
}

}  // namespace conv2d::engine
