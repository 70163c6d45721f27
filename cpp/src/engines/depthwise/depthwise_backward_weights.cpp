#include "engines/depthwise/pixel_rows.hpp"
#include "engines/loops.hpp"

namespace conv2d::engine {
namespace {

/// Channels of a part, at least: with one cache line of each pixel, two threads were slower than one.
constexpr std::int64_t kChannelsOfPart = 64;

/// Floats of dy in the lines that tiles of taps compute at a time, with their sums in registers. They and the cells
/// stay in L1 or near it.
constexpr std::int64_t kLineFloats = 6144;

/// Pixels with fewer channels fill no register: they are summed channel by channel, along the line.
constexpr std::int64_t kNarrow = 8;

class BackwardWeightsExecutable final : public Executable {
 public:
  BackwardWeightsExecutable(const Geometry& g, const KernelSet& kernels, int threads) noexcept
      : g_(g),
        rows_(PixelRows::of(g, kernels)),
        interior_(rows_.usable_interior(interior_columns(g))),
        tiled_(with_neighbors(g, kernels, interior_, g.ow, x_column(g, 0, 1), g.stride_w, g.w)) {
    image_ = own_.take(repeated_image_floats(g));
    if (rows_.method == LineMethod::wide_rows) sums_ = own_.take(sum_floats());
    divides_ = rows_.method == LineMethod::tap_tiles;
    if (divides_) parts_ = parts_of(ceil_div(g.k, kChannelsOfPart), threads);
    cost_ = largest_part(ceil_div(g.k, kChannelsOfPart), parts_) * rows_.cost(g, g.n * g.oh, g.n);
  }

  bool run(const Operands& o, Part part, const Memory& memory, const ProgressHook& progress) const noexcept override {
    const Geometry& g = g_;
    float* const sums = sums_.in(memory.own);
    const Range channels = channels_of(part);
    for (std::int64_t tap = 0; tap < g.kh * g.kw; ++tap)
      std::fill_n(o.out + tap * g.k + channels.begin, channels.size(), 0.0F);
    if (rows_.method == LineMethod::wide_rows) std::fill_n(sums, sum_floats().value(), 0.0F);
    const float* image = nullptr;
    std::int64_t image_n = -1;
    const bool finished = in_chunks(g.n * g.oh, g.ow * g.k * g.kh * g.kw, progress, [&](Range chunk) {
      if (rows_.method == LineMethod::tap_tiles) return add_lines(o, chunk, channels);
      for (std::int64_t t = chunk.begin; t < chunk.end; ++t) {
        const std::int64_t n = t / g.oh;
        if (n != image_n) image = repeat_channels(g, o.x, n, image_.in(memory.own));
        image_n = n;
        add_line(image, o.dy + t * g.ow * g.k, t % g.oh, sums, o.out);
      }
    });
    if (rows_.method == LineMethod::wide_rows) fold(sums, o.out);
    return finished;
  }

 private:
  /// The channels of a part.
  [[nodiscard]] Range channels_of(Part part) const noexcept { return part.of(g_.k, kChannelsOfPart); }
  /// A row of `pixels` pixels for each tap.
  [[nodiscard]] CheckedInt sum_floats() const noexcept { return rows_.repeated_floats(g_, g_.kh * g_.kw); }

  /// Adds the contributions of line i of dy to every tap: of groups of pixels to `sums`, of the other pixels to dw.
  /// `image` has a channel per filter.
  void add_line(const float* image, const float* dy, std::int64_t i, float* sums, float* dw) const noexcept {
    const Geometry& g = g_;
    const std::int64_t pixels = rows_.pixels;
    const Range rows = row_taps(g, i);
    const std::int64_t x_step = g.stride_w > g.w ? 0 : g.stride_w * g.k;  // wider than x: no second output to step to
    for (std::int64_t p = rows.begin; p < rows.end; ++p) {
      const float* const x = image + x_row(g, i, p) * g.w * g.k;
      for (std::int64_t q = 0; q < g.kw; ++q) {
        const Range outputs = inside(g.ow, g.stride_w, x_column(g, 0, q), g.w);
        const std::int64_t tap = p * g.kw + q;
        float* const single = dw + tap * g.k;
        std::int64_t j = outputs.begin;
        // A single row of products costs more than its call saves.
        if (outputs.size() >= 2 * pixels && pixels > 1) {
          float* const wide = sums + tap * pixels * g.k;
          ProductRows wide_sum(*rows_.kernels, pixels * g.k, wide, wide);
          for (; j + pixels <= outputs.end; j += pixels) wide_sum.add(x + x_column(g, j, q) * g.k, dy + j * g.k);
          wide_sum.flush();
        }
        if (j >= outputs.end) continue;
        if (g.k < kNarrow) {
          for (std::int64_t k = 0; k < g.k; ++k) {
            single[k] += dot(outputs.end - j, x + x_column(g, j, q) * g.k + k, x_step, dy + j * g.k + k, g.k);
          }
          continue;
        }
        ProductRows single_sum(*rows_.kernels, g.k, single, single);
        for (; j < outputs.end; ++j) single_sum.add(x + x_column(g, j, q) * g.k, dy + j * g.k);
        single_sum.flush();
      }
    }
  }

  // As add_line, for whole registers of channels: pixels that all column taps read are computed by tiles of the taps,
  // several lines at a time, those at the edges tap by tap.

  void add_lines(const Operands& o, Range chunk, Range channels) const noexcept {
    const Geometry& g = g_;
    const auto x_of = [&](std::int64_t n) { return o.x + n * g.h * g.w * g.c; };
    const auto dy_of = [&](std::int64_t n) { return o.dy + n * g.oh * g.ow * g.k; };
    for_each_row_span(chunk, 1, g.oh, [&](std::int64_t n, std::int64_t, Range lines) {
      add_edges(x_of(n), dy_of(n), lines, channels, o.out);
    });
    const bool in_order = rows_.kernels->reads_in_order();
    const std::int64_t piece = in_order ? g.ow : piece_of_line(g, *rows_.kernels),
                       most_lines = in_order ? kLinesInOrder : std::max<std::int64_t>(1, kLineFloats / (g.k * piece));
    for (std::int64_t begin = interior_.begin; begin < interior_.end; begin += piece) {
      const Range pixels{begin, std::min(begin + piece, interior_.end)};
      for_each_row_span(chunk, 1, g.oh, [&](std::int64_t n, std::int64_t, Range lines) {
        while (lines.size() > 0) {
          const Range same = same_taps({lines.begin, std::min(lines.end, lines.begin + most_lines)});
          add_pixels(x_of(n), dy_of(n), same, pixels, channels, o.out);
          lines.begin = same.end;
        }
      });
    }
  }

  /// The first of `lines`, up to the next one with other row taps inside the image.
  [[nodiscard]] Range same_taps(Range lines) const noexcept {
    const Range rows = row_taps(g_, lines.begin);
    for (std::int64_t i = lines.begin + 1; i < lines.end; ++i) {
      if (const Range next = row_taps(g_, i); next.begin != rows.begin || next.end != rows.end) lines.end = i;
    }
    return lines;
  }

  /// The `pixels` of `lines`, which have the same row taps inside the image.
  void add_pixels(const float* image, const float* dy, Range lines, Range pixels, Range channels,
                  float* dw) const noexcept {
    const Geometry& g = g_;
    const std::int64_t i = lines.begin;
    const Range rows = row_taps(g, i);
    const bool before = tiled_.begin < interior_.begin;
    const bool after = tiled_.end > interior_.end;
    for_each_tap_tile(*rows_.kernels, rows.size(), g.kw,
                      [&](const micro_kernels::TapKernels& tile, std::int64_t p, std::int64_t q) {
                        const std::int64_t cell = x_row(g, i, rows.begin + p) * g.w + x_column(g, pixels.begin, q);
                        tile.products({.cells = {.data = image + cell * g.c + channels.begin,
                                                 .row = stride_of(rows.size(), g.dilation_h, g.w * g.c),
                                                 .column = stride_of(g.kw, g.dilation_w, g.c),
                                                 .pixel = stride_of(tiled_.size(), g.stride_w, g.c)},
                                       .cells_line = stride_of(g.oh, g.stride_h, g.w * g.c),
                                       .dy = dy + (i * g.ow + pixels.begin) * g.k + channels.begin,
                                       .dy_pixel = g.k,
                                       .dy_line = g.ow * g.k,
                                       .dw = dw + ((rows.begin + p) * g.kw + q) * g.k + channels.begin,
                                       .dw_row = g.kw * g.k,
                                       .dw_column = g.k,
                                       .lines = lines.size(),
                                       .pixels = pixels.size(),
                                       .channels = channels.size(),
                                       .before = before,
                                       .after = after});
                      });
  }

  void add_edges(const float* image, const float* dy, Range lines, Range channels, float* dw) const noexcept {
    const Geometry& g = g_;
    for (std::int64_t p = 0; p < g.kh; ++p) {
      const Range reached = inside(g.oh, g.stride_h, x_row(g, 0, p), g.h);
      for (std::int64_t q = 0; q < g.kw; ++q) {
        const Range outputs = inside(g.ow, g.stride_w, x_column(g, 0, q), g.w);
        float* const sums = dw + (p * g.kw + q) * g.k + channels.begin;
        ProductRows edge(*rows_.kernels, channels.size(), sums, sums);
        for (std::int64_t i = std::max(lines.begin, reached.begin); i < std::min(lines.end, reached.end); ++i) {
          const float* const x = image + x_row(g, i, p) * g.w * g.c + channels.begin;
          const float* const dy_line = dy + i * g.ow * g.k + channels.begin;
          for (std::int64_t j = outputs.begin; j < outputs.end; ++j) {
            if (j >= tiled_.begin && j < tiled_.end) j = tiled_.end;
            if (j < outputs.end) edge.add(x + x_column(g, j, q) * g.c, dy_line + j * g.k);
          }
        }
        edge.flush();
      }
    }
  }

  /// Adds the pixels of each row of sums to dw.
  void fold(const float* sums, float* dw) const noexcept {
    for (std::int64_t tap = 0; tap < g_.kh * g_.kw; ++tap) {
      for (std::int64_t pixel = 0; pixel < rows_.pixels; ++pixel) {
        for (std::int64_t k = 0; k < g_.k; ++k) dw[tap * g_.k + k] += *sums++;
      }
    }
  }

  Geometry g_;
  PixelRows rows_;
  Range interior_;  ///< outputs of a line that meet every column of taps and are computed by tiles of taps
  Range tiled_;     ///< those and the outputs beside them that the tiles take
  Offset image_;    ///< its channels repeated
  Offset sums_;     ///< a row of pixels per tap, added to dw at the end
};

}  // namespace

ExecutablePointer prepare_depthwise_backward_weights(const Geometry& g, Pass, const PrepareOptions& options) {
  if (const StridedMatmul product = forward_product(g, *options.kernels); prefers_channel_blocks(product)) {
    const PixelRows rows = PixelRows::of(g, *options.kernels);
    return prepare_channel_blocks(product, Pass::backward_weights, options.parts, rows.cost(g, g.n * g.oh, g.n));
  }
  return std::make_unique<BackwardWeightsExecutable>(g, *options.kernels, options.parts);
}

}  // namespace conv2d::engine
