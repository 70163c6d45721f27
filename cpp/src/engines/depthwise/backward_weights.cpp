#include "engines/depthwise/rows.hpp"
#include "engines/loops.hpp"

namespace conv2d::engine {
namespace {

/// Channels of a part, at least: with one cache line of each pixel, two threads were slower than one.
constexpr std::int64_t kChannelsOfPart = 64;

/// Pixels with fewer channels fill no register: they are summed channel by channel, along the line.
constexpr std::int64_t kNarrow = 8;

class BackwardWeightsExecutable final : public Executable {
 public:
  BackwardWeightsExecutable(const Geometry& g, const KernelSet& kernels, int threads) noexcept
      : g_(g), rows_(PixelRows::of(g, kernels)), interior_(rows_.usable_interior(interior_columns(g))) {
    image_ = own_.take(repeated_image_floats(g));
    if (rows_.pixels > 1) sums_ = own_.take(sum_floats());
    if (rows_.tap_tiles) parts_ = parts_of(ceil_div(g.k, kChannelsOfPart), threads);
    cost_ = largest_part(ceil_div(g.k, kChannelsOfPart), parts_) * rows_.cost(g, g.n * g.oh, g.n);
  }

  bool run(const Operands& o, Part part, const Memory& memory, const ProgressHook& progress) const noexcept override {
    const Geometry& g = g_;
    float* const sums = sums_.in(memory.own);
    const Range channels = channels_of(part);
    for (std::int64_t tap = 0; tap < g.kh * g.kw; ++tap)
      std::fill_n(o.out + tap * g.k + channels.begin, channels.size(), 0.0F);
    if (rows_.pixels > 1) std::fill_n(sums, sum_floats().value(), 0.0F);
    const float* image = nullptr;
    std::int64_t image_n = -1;
    const bool finished = in_chunks(g.n * g.oh, g.ow * g.k * g.kh * g.kw, progress, [&](Range chunk) {
      for (std::int64_t t = chunk.begin; t < chunk.end; ++t) {
        const std::int64_t n = t / g.oh;
        if (n != image_n) image = repeat_channels(g, o.x, n, image_.in(memory.own));
        image_n = n;
        const float* const dy = o.dy + t * g.ow * g.k;
        if (rows_.tap_tiles) {
          add_edges(image, dy, t % g.oh, channels, o.out);
        } else {
          add_line(image, dy, t % g.oh, sums, o.out);
        }
      }
      if (!rows_.tap_tiles) return;
      for_each_piece(chunk, interior_, piece_of_line(g), [&](std::int64_t t, Range pixels) {
        add_pixels(o.x + t / g.oh * g.h * g.w * g.c, o.dy + t * g.ow * g.k, t % g.oh, pixels, channels, o.out);
      });
    });
    if (rows_.pixels > 1) fold(sums, o.out);
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
  // those at the edges tap by tap.

  void add_pixels(const float* image, const float* dy, std::int64_t i, Range pixels, Range channels,
                  float* dw) const noexcept {
    const Geometry& g = g_;
    const Range rows = row_taps(g, i);
    for_each_tap_tile(*rows_.kernels, rows.size(), g.kw,
                      [&](const micro_kernels::TapKernels& tile, std::int64_t p, std::int64_t q) {
                        const std::int64_t cell = x_row(g, i, rows.begin + p) * g.w + x_column(g, pixels.begin, q);
                        tile.products({.cells = {.data = image + cell * g.c + channels.begin,
                                                 .row = stride_of(rows.size(), g.dilation_h, g.w * g.c),
                                                 .column = stride_of(g.kw, g.dilation_w, g.c),
                                                 .pixel = stride_of(interior_.size(), g.stride_w, g.c)},
                                       .dy = dy + pixels.begin * g.k + channels.begin,
                                       .dy_pixel = g.k,
                                       .dw = dw + ((rows.begin + p) * g.kw + q) * g.k + channels.begin,
                                       .dw_row = g.kw * g.k,
                                       .dw_column = g.k,
                                       .pixels = pixels.size(),
                                       .channels = channels.size()});
                      });
  }

  void add_edges(const float* image, const float* dy, std::int64_t i, Range channels, float* dw) const noexcept {
    const Geometry& g = g_;
    const Range rows = row_taps(g, i);
    for (std::int64_t p = rows.begin; p < rows.end; ++p) {
      const float* const x = image + x_row(g, i, p) * g.w * g.c + channels.begin;
      for (std::int64_t q = 0; q < g.kw; ++q) {
        const Range outputs = inside(g.ow, g.stride_w, x_column(g, 0, q), g.w);
        float* const sums = dw + (p * g.kw + q) * g.k + channels.begin;
        ProductRows edge(*rows_.kernels, channels.size(), sums, sums);
        for (std::int64_t j = outputs.begin; j < outputs.end; ++j) {
          if (j == interior_.begin && interior_.size() > 0) j = interior_.end;
          if (j < outputs.end) edge.add(x + x_column(g, j, q) * g.c, dy + j * g.k + channels.begin);
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
  Range interior_;  ///< outputs of a line that are computed by tiles of taps
  Offset image_;    ///< its channels repeated
  Offset sums_;     ///< a row of pixels per tap, added to dw at the end
};

}  // namespace

ExecutablePointer prepare_depthwise_backward_weights(const Geometry& g, Pass, const PrepareOptions& options) {
  if (const WindowProduct product = forward_product(g, *options.kernels); prefers_channel_blocks(product)) {
    const PixelRows rows = PixelRows::of(g, *options.kernels);
    return prepare_channel_blocks(product, Pass::backward_weights, options.threads, rows.cost(g, g.n * g.oh, g.n));
  }
  return std::make_unique<BackwardWeightsExecutable>(g, *options.kernels, options.threads);
}

}  // namespace conv2d::engine
