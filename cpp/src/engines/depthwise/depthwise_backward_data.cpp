#include "cost/constants.hpp"
#include "engines/depthwise/pixel_rows.hpp"
#include "engines/loops.hpp"

namespace conv2d::engine {
namespace {

/// With stride 1, dx is one product of windows of dy.
bool has_single_phase(const Geometry& g) noexcept { return g.stride_h == 1 && g.stride_w == 1; }

/// Finding the output that reads a cell takes one division per cell, row tap and column tap.
double whole_cost(const Geometry& g, const PixelRows& rows) noexcept {
  const double searches = static_cast<double>(g.n * g.h * g.w) / static_cast<double>(rows.pixels);
  return rows.cost(g, g.n * g.oh, g.n) +
         rows.kernels->costs->depthwise.tap_lookup * searches * static_cast<double>(g.kh * g.kw);
}

/// Where the computation of one line of dx reads and writes.
struct DxLine {
  const float* dy = nullptr;  ///< of the image
  std::int64_t row = 0;
  float* dx = nullptr;       ///< of the line
  float* filters = nullptr;  ///< scratch for a row of filters
};

/// The row taps through which a row of dy reads row `row` of dx (stride 1).
Range row_taps_of_cell(const Geometry& g, std::int64_t row) noexcept {
  const std::int64_t padded = row + g.padding.top;
  const std::int64_t first = std::max<std::int64_t>(0, padded - (g.oh - 1));
  return {ceil_div(first, g.dilation_h), std::min(g.kh, padded / g.dilation_h + 1)};
}

class BackwardDataExecutable final : public Executable {
 public:
  BackwardDataExecutable(const Geometry& g, const PixelRows& rows, int threads) noexcept : g_(g), rows_(rows) {
    // The cells that outputs read through every tap (stride 1).
    const Range every_tap{std::clamp<std::int64_t>(g.dilated_kw - 1 - g.padding.left, 0, g.w),
                          std::clamp<std::int64_t>(g.ow - g.padding.left, 0, g.w)};
    if (rows.method != LineMethod::tap_tiles || has_single_phase(g)) interior_ = rows.usable_interior(every_tap);
    if (interior_.size() > 0) method_ = rows.method;
    done_ = interior_;
    if (method_ == LineMethod::tap_tiles) {
      done_ = with_neighbors(g, *rows.kernels, interior_, g.w, g.padding.left - g.dilation_w, 1, g.ow);
    }
    if (g.group_k > 1) filters_ = own_.take(rows.repeated_floats(g, 1));
    if (method_ == LineMethod::wide_rows) w_ = own_.take(rows.repeated_floats(g, g.kh * g.kw));
    parts_ = parts_of(g.n * g.h, threads);
    cost_ = largest_part(g.n * g.h, parts_) * whole_cost(g, rows);
  }

  bool run(const Operands& o, Part part, const Memory& memory, const ProgressHook& progress) const noexcept override {
    const Geometry& g = g_;
    float* const repeated_w = w_.in(memory.own);
    if (method_ == LineMethod::wide_rows) rows_.repeat(g, o.w, g.kh * g.kw, repeated_w);
    const Range lines = part.of(g.n * g.h);
    return in_chunks(lines.size(), g.w * g.k * g.kh * g.kw, progress, [&](Range chunk) {
      chunk = {lines.begin + chunk.begin, lines.begin + chunk.end};
      const auto line = [&](std::int64_t t) {
        return DxLine{o.dy + t / g.h * g.oh * g.ow * g.k, t % g.h, o.out + t * g.w * g.c, filters_.in(memory.own)};
      };
      for (std::int64_t t = chunk.begin; t < chunk.end; ++t) {
        const DxLine to = line(t);
        const bool has_tiles = method_ != LineMethod::tap_tiles || row_taps_of_cell(g, to.row).size() > 0;
        for_each_outside(g.w, has_tiles ? done_ : Range{}, [&](std::int64_t col) { row_of_products(to, o.w, col, 1); });
        if (method_ != LineMethod::wide_rows) continue;
        for_each_wide_row(interior_, rows_.pixels,
                          [&](std::int64_t col) { row_of_products(to, repeated_w, col, rows_.pixels); });
      }
      if (method_ != LineMethod::tap_tiles) return;
      for_each_piece(
          chunk, g.h, interior_, piece_of_line(g, *rows_.kernels), *rows_.kernels,
          [&](std::int64_t row) { return row_taps_of_cell(g, row); },
          [&](std::int64_t t, std::int64_t count, Range cells) { tap_tiles(o.w, line(t), count, cells); });
    });
  }

 private:
  /// Cells (row, col) .. (row, col + pixels): adds every output that reads them. `w` is repeated for as many pixels.
  void row_of_products(const DxLine& to, const float* w, std::int64_t col, std::int64_t pixels) const noexcept {
    const Geometry& g = g_;
    float* const dx = to.dx + col * g.c;
    ProductRows sum(*rows_.kernels, pixels * g.k, nullptr, g.group_k == 1 ? dx : to.filters);
    for (std::int64_t p = 0; p < g.kh; ++p) {
      const std::int64_t i = window_at(to.row + g.padding.top, p * g.dilation_h, g.stride_h, g.oh);
      if (i < 0) continue;
      for (std::int64_t q = 0; q < g.kw; ++q) {
        const std::int64_t j = window_at(col + g.padding.left, q * g.dilation_w, g.stride_w, g.ow);
        if (j >= 0) sum.add(to.dy + (i * g.ow + j) * g.k, w + (p * g.kw + q) * pixels * g.k);
      }
    }
    sum.flush();
    if (g.group_k > 1) sum_filters(pixels * g.c, to.filters, dx);
  }

  /// out[c] = sum of the group_k filters of channel c.
  void sum_filters(std::int64_t channels, const float* filters, float* out) const noexcept {
    for (std::int64_t c = 0; c < channels; ++c) {
      float sum = 0.0F;
      for (std::int64_t r = 0; r < g_.group_k; ++r) sum += filters[c * g_.group_k + r];
      out[c] = sum;
    }
  }

  /// Some cells of the interior of lines with the same row taps, from `to`, which outputs read through every column tap
  /// (stride 1): dy is read as forward reads x, with the taps in reverse order.
  void tap_tiles(const float* w, const DxLine& to, std::int64_t lines, Range cells) const noexcept {
    const Geometry& g = g_;
    const Range rows = row_taps_of_cell(g, to.row);
    if (rows.size() <= 0) return;  // computed one by one
    const std::int64_t i = to.row + g.padding.top - rows.begin * g.dilation_h;
    sum_taps(*rows_.kernels, rows.size(), g.kw,
             {.cells = {.data = to.dy + (i * g.ow + cells.begin + g.padding.left) * g.k,
                        .row = -stride_of(rows.size(), g.dilation_h, g.ow * g.k),
                        .column = -stride_of(g.kw, g.dilation_w, g.k),
                        .pixel = g.k},
              .w = w + rows.begin * g.kw * g.k,
              .w_row = g.kw * g.k,
              .w_column = g.k,
              .out = to.dx + cells.begin * g.c,
              .out_pixel = g.c,
              .pixels = cells.size(),
              .channels = g.c,
              .lines = lines,
              .cells_line = g.ow * g.k,
              .out_line = g.w * g.c,
              .before = done_.begin < interior_.begin,
              .after = interior_.end < done_.end},
             nullptr);
  }

  Geometry g_;
  PixelRows rows_;
  Range interior_;                                 ///< cells of a line that outputs read through every column tap
  Range done_;                                     ///< with those beside it that are not computed one by one
  LineMethod method_ = LineMethod::single_pixels;  ///< of the interior
  Offset filters_;  ///< the gradients of a row per filter, before those of a channel are added
  Offset w_;        ///< repeated
};

}  // namespace

ExecutablePointer prepare_depthwise_backward_data(const Geometry& g, Pass pass, const PrepareOptions& options) {
  const PixelRows rows = PixelRows::of(g, *options.kernels);
  if (has_single_phase(g)) {
    const StridedMatmul product = phase_product(g, *options.kernels, 0, 0);
    if (prefers_channel_blocks(product)) {
      return prepare_channel_blocks(product, pass, options.parts, whole_cost(g, rows));
    }
  }
  return std::make_unique<BackwardDataExecutable>(g, rows, options.parts);
}

}  // namespace conv2d::engine
