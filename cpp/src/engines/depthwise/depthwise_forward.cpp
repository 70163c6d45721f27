#include "engines/depthwise/pixel_rows.hpp"
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
        method_(interior_.size() > 0 ? rows.method : LineMethod::single_pixels),
        done_(interior_) {
    if (method_ == LineMethod::tap_tiles) {
      done_ = with_neighbors(g, *rows.kernels, interior_, g.ow, x_column(g, 0, 1), g.stride_w, g.w);
    }
    image_ = own_.take(repeated_image_floats(g));
    if (method_ == LineMethod::wide_rows) {
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
    if (method_ == LineMethod::wide_rows) {
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
        const bool has_tiles = method_ != LineMethod::tap_tiles || taps.size() > 0;
        for_each_outside(g.ow, has_tiles ? done_ : Range{}, [&](std::int64_t j) {
          row_of_products(one_pixel, o.clamp, image, i, taps, j, column_taps(g, j), y);
        });
        if (method_ != LineMethod::wide_rows) continue;
        for_each_wide_row(interior_, rows_.pixels, [&](std::int64_t j) {
          row_of_products(several, o.clamp, image, i, taps, j, {0, g.kw}, y);
        });
      }
      if (method_ != LineMethod::tap_tiles) return;
      for_each_piece(
          chunk, g.oh, interior_, piece_of_line(g, *rows_.kernels), *rows_.kernels,
          [&](std::int64_t i) { return row_taps(g, i); },
          [&](std::int64_t t, std::int64_t count, Range pixels) {
            tap_tiles(o, o.x + t / g.oh * g.h * g.w * g.c, t % g.oh, count, pixels, o.out + t * g.ow * g.k);
          });
    });
  }

 private:
  /// Output positions (i, j) .. (i, j + pixels) with all their taps; those of `rows` and `cols` are inside the image.
  /// `image` has a channel per filter.
  void row_of_products(const RowFactors& factors, const micro_kernels::Clamp* clamp, const float* image, std::int64_t i,
                       Range rows, std::int64_t j, Range cols, float* y) const noexcept {
    const Geometry& g = g_;
    const std::int64_t columns = factors.pixels * g.k;
    ProductRows sum(*rows_.kernels, columns, factors.b, y + j * g.k);
    for (std::int64_t p = rows.begin; p < rows.end; ++p) {
      for (std::int64_t q = cols.begin; q < cols.end; ++q) {
        sum.add(image + (x_row(g, i, p) * g.w + x_column(g, j, q)) * g.k, factors.w + (p * g.kw + q) * columns);
      }
    }
    sum.flush();
    if (clamp) rows_.kernels->clamp(*clamp, y + j * g.k, offset(columns));
  }

  /// Some pixels of the interior of lines from i, which have the same row taps.
  void tap_tiles(const Operands& o, const float* image, std::int64_t i, std::int64_t lines, Range pixels,
                 float* y) const noexcept {
    const Geometry& g = g_;
    const Range rows = row_taps(g, i);
    if (rows.size() == 0) return;  // computed one by one
    sum_taps(*rows_.kernels, rows.size(), g.kw,
             {.cells = {.data = image + (x_row(g, i, rows.begin) * g.w + x_column(g, pixels.begin, 0)) * g.c,
                        .row = stride_of(rows.size(), g.dilation_h, g.w * g.c),
                        .column = stride_of(g.kw, g.dilation_w, g.c),
                        .pixel = stride_of(done_.size(), g.stride_w, g.c)},
              .w = o.w + rows.begin * g.kw * g.k,
              .w_row = g.kw * g.k,
              .w_column = g.k,
              .out = y + pixels.begin * g.k,
              .out_pixel = g.k,
              .pixels = pixels.size(),
              .channels = g.k,
              .clamp = o.clamp,
              .lines = lines,
              .cells_line = stride_of(g.oh, g.stride_h, g.w * g.c),
              .out_line = g.ow * g.k,
              .before = done_.begin < interior_.begin,
              .after = interior_.end < done_.end},
             o.b);
  }

  Geometry g_;
  PixelRows rows_;
  Range interior_;        ///< outputs of a line that meet every column of taps
  LineMethod method_;     ///< of the interior
  Range done_;            ///< with those beside it that are not computed one by one
  Offset image_, w_, b_;  ///< repeated
};

}  // namespace

ExecutablePointer prepare_depthwise_forward(const Geometry& g, Pass pass, const PrepareOptions& options) {
  const PixelRows rows = PixelRows::of(g, *options.kernels);
  const StridedMatmul product = forward_product(g, *options.kernels);
  if (prefers_channel_blocks(product)) {
    return prepare_channel_blocks(product, pass, options.parts, rows.cost(g, g.n * g.oh, g.n));
  }
  return std::make_unique<ForwardExecutable>(g, rows, options.parts);
}

}  // namespace conv2d::engine
