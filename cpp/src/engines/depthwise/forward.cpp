#include "engines/depthwise/rows.hpp"
#include "engines/loops.hpp"

namespace conv2d::engine {
namespace {

/// The weights and the bias, repeated for a row of several pixels.
struct RowFactors {
  const float* w = nullptr;
  const float* b = nullptr;  ///< null: none
  std::int64_t pixels = 1;
};

class ForwardExecutable final : public Executable {
 public:
  ForwardExecutable(const Geometry& g, const PixelRows& rows, int threads) noexcept
      : g_(g),
        rows_(rows),
        interior_(rows.usable_interior(interior_columns(g))),
        several_pixels_(interior_.size() > 0 && rows.pixels > 1) {
    image_ = own_.take(repeated_image_floats(g));
    if (several_pixels_) {
      w_ = own_.take(rows.repeated_floats(g, g.kh * g.kw));
      b_ = own_.take(rows.repeated_floats(g, 1));
    }
    const std::int64_t lines = g.n * g.oh;
    parts_ = parts_of(lines, threads);
    for (int i = 0; i < parts_; ++i) {
      const Range mine = Part{i, parts_}.of(lines);
      // Each part repeats the channels of all images that have one of its lines.
      cost_ = std::max(cost_, rows.cost(g, mine.size(), ceil_div(mine.end, g.oh) - mine.begin / g.oh));
    }
  }

  bool run(const Operands& o, Part part, const Memory& memory, const ProgressHook& progress) const noexcept override {
    const Geometry& g = g_;
    const RowFactors one_pixel{o.w, o.b};
    RowFactors several{o.w, o.b, rows_.pixels};
    if (several_pixels_) {
      float* const w = w_.in(memory.own);
      float* const b = b_.in(memory.own);
      rows_.repeat(g, o.w, g.kh * g.kw, w);
      if (o.b) rows_.repeat(g, o.b, 1, b);
      several.w = w;
      if (o.b) several.b = b;
    }
    const float* image = nullptr;
    std::int64_t image_n = -1;
    const Range lines = part.of(g.n * g.oh);
    return in_chunks(lines.size(), g.ow * g.k * g.kh * g.kw, progress, [&](Range chunk) {
      chunk = {lines.begin + chunk.begin, lines.begin + chunk.end};
      for (std::int64_t t = chunk.begin; t < chunk.end; ++t) {
        const std::int64_t n = t / g.oh;
        const std::int64_t i = t % g.oh;
        if (n != image_n) image = repeat_channels(g, o.x, n, image_.in(memory.own));
        image_n = n;
        float* const y = o.out + t * g.ow * g.k;
        const Range taps = row_taps(g, i);
        const bool one_by_one = rows_.tap_tiles && taps.size() == 0;
        cover_line(
            g.ow, one_by_one ? Range{} : interior_,
            [&](std::int64_t j) { row_of_products(one_pixel, image, i, taps, j, column_taps(g, j), y); },
            [&] {
              if (!several_pixels_) return;  // below
              cover_interior(interior_, rows_.pixels, [&](std::int64_t j) {
                row_of_products(several, image, i, taps, j, {0, g.kw}, y);
              });
            });
      }
      if (several_pixels_) return;
      for_each_piece(chunk, interior_, piece_of_line(g, *rows_.kernels), [&](std::int64_t t, Range pixels) {
        tap_tiles(o, o.x + t / g.oh * g.h * g.w * g.c, t % g.oh, pixels, o.out + t * g.ow * g.k);
      });
    });
  }

 private:
  /// Output positions (i, j) .. (i, j + pixels) with all their taps; those of `rows` and `cols` are inside the image.
  /// `image` has a channel per filter.
  void row_of_products(const RowFactors& factors, const float* image, std::int64_t i, Range rows, std::int64_t j,
                       Range cols, float* y) const noexcept {
    const Geometry& g = g_;
    const std::int64_t columns = factors.pixels * g.k;
    ProductRows sum(*rows_.kernels, columns, factors.b, y + j * g.k);
    for (std::int64_t p = rows.begin; p < rows.end; ++p) {
      for (std::int64_t q = cols.begin; q < cols.end; ++q) {
        sum.add(image + (x_row(g, i, p) * g.w + x_column(g, j, q)) * g.k, factors.w + (p * g.kw + q) * columns);
      }
    }
    sum.flush();
  }

  /// Some pixels of the interior of line i.
  void tap_tiles(const Operands& o, const float* image, std::int64_t i, Range pixels, float* y) const noexcept {
    const Geometry& g = g_;
    const Range rows = row_taps(g, i);
    if (rows.size() == 0) return;  // computed one by one
    sum_taps(*rows_.kernels, rows.size(), g.kw,
             {.cells = {.data = image + (x_row(g, i, rows.begin) * g.w + x_column(g, pixels.begin, 0)) * g.c,
                        .row = stride_of(rows.size(), g.dilation_h, g.w * g.c),
                        .column = stride_of(g.kw, g.dilation_w, g.c),
                        .pixel = stride_of(interior_.size(), g.stride_w, g.c)},
              .w = o.w + rows.begin * g.kw * g.k,
              .w_row = g.kw * g.k,
              .w_column = g.k,
              .out = y + pixels.begin * g.k,
              .out_pixel = g.k,
              .pixels = pixels.size(),
              .channels = g.k},
             o.b);
  }

  Geometry g_;
  PixelRows rows_;
  Range interior_;        ///< positions of a line that are not computed one by one
  bool several_pixels_;   ///< the interior is computed as wider rows
  Offset image_, w_, b_;  ///< repeated
};

}  // namespace

ExecutablePointer prepare_depthwise_forward(const Geometry& g, Pass pass, const PrepareOptions& options) {
  const PixelRows rows = PixelRows::of(g, *options.kernels);
  const WindowProduct product = forward_product(g, *options.kernels);
  if (prefers_channel_blocks(product)) {
    return prepare_channel_blocks(product, pass, options.threads, rows.cost(g, g.n * g.oh, g.n));
  }
  return std::make_unique<ForwardExecutable>(g, rows, options.threads);
}

}  // namespace conv2d::engine
