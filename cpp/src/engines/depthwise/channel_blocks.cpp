#include "engines/depthwise/pixel_rows.hpp"
#include "engines/loops.hpp"
#include "engines/windows/window_plan.hpp"
#include "transforms/lane_copy.hpp"

/// 3 x 3 depthwise passes of small images with 256, 512, ... channels. Their pixels are a power of two apart, so that a
/// row of them, register by register, maps to a few sets of the L1 cache and is loaded from L2 again and again. The
/// engine therefore copies the cells of a few channels first, with zeros around them, and computes all their outputs
/// from the copy.
namespace conv2d::engine {
namespace {

/// Channels of a copy: a cache line.
constexpr std::int64_t kBlock = 16;
/// Cells a multiple of 1 kB apart map to four or fewer of the 64 sets of a cache: 14 x 14 cells of 512 channels took
/// 170 microseconds without the copy and 110 with it, those of 480 channels 70 and 98.
constexpr std::int64_t kSameSets = 256;
/// Most floats of a copy: 24 kB of a 32 kB L1.
constexpr std::int64_t kMaxFloatsOfCopy = 6144;

CheckedInt copy_floats(const StridedMatmul& p) noexcept {
  return reach(p.rows, p.rows.windows) * reach(p.cols, p.cols.windows) * kBlock;
}

/// The copies of the cells that windows reach, kBlock channels of an image at a time.
struct BlockCopies {
  StridedMatmul p;
  std::int64_t cell_rows, cell_cols;  ///< reached by windows
  Range inside_rows, inside_cols;     ///< inside the image
  std::int64_t per_image;             ///< blocks

  explicit BlockCopies(const StridedMatmul& product) noexcept
      : p(product),
        cell_rows(reach(p.rows, p.rows.windows).value()),
        cell_cols(reach(p.cols, p.cols.windows).value()),
        inside_rows(inside(cell_rows, 1, p.rows.first, p.rows.size)),
        inside_cols(inside(cell_cols, 1, p.cols.first, p.cols.size)),
        per_image(ceil_div(p.groups, kBlock)) {}

  /// Floats from a row of cells to the next, and from the cells of an output to those of its neighbors.
  [[nodiscard]] std::int64_t row() const noexcept { return cell_cols * kBlock; }
  [[nodiscard]] std::int64_t pixel() const noexcept { return stride_of(p.cols.windows, p.cols.step, kBlock); }
  [[nodiscard]] std::int64_t row_step() const noexcept { return stride_of(p.rows.windows, p.rows.step, row()); }
  [[nodiscard]] std::int64_t macs() const noexcept { return p.rows.windows * p.cols.windows * p.taps() * kBlock; }

  /// Zeros around the cells of every copy to `to`.
  void clear(float* to) const noexcept { std::fill_n(to, cell_rows * row(), 0.0F); }

  /// Copies kBlock channels, from `channel`, of all cells of image n that windows reach.
  void copy(const float* image, std::int64_t n, std::int64_t channel, float* to) const noexcept {
    if (inside_cols.size() <= 0) return;
    for (std::int64_t r = inside_rows.begin; r < inside_rows.end; ++r) {
      const std::int64_t cell = (n * p.rows.size + p.rows.first + r) * p.cols.size + p.cols.first + inside_cols.begin;
      copy_lanes(kBlock, inside_cols.size(), image + p.image_offset + cell * p.groups + channel, p.groups,
                 to + r * row() + inside_cols.begin * kBlock, kBlock);
    }
  }
};

class ChannelBlocksExecutable final : public Executable {
 public:
  ChannelBlocksExecutable(const StridedMatmul& p, Pass pass, int threads, double cost) noexcept
      : copies_(p), pass_(pass), blocks_(p.n * copies_.per_image), copy_(own_.take(copy_floats(p))) {
    sum_ = {.cells = {.row = copies_.row(), .column = kBlock, .pixel = copies_.pixel()},
            .w_row = p.weights.row,
            .w_column = p.weights.col,
            .start_lanes = p.kernels->lanes,
            .out_pixel = p.out.col,
            .pixels = p.cols.windows,
            .channels = kBlock};
    parts_ = parts_of(blocks_, threads);
    cost_ = largest_part(blocks_, parts_) * cost;
  }

  bool run(const Operands& o, Part part, const Memory& memory, const ProgressHook& progress) const noexcept override {
    const StridedMatmul& p = copies_.p;
    const WindowTensors tensors = window_operands(pass_).in(o);
    const Range mine = part.of(blocks_);
    constexpr float kZeros[kBlock] = {};
    float* const copy = copy_.in(memory.own);
    copies_.clear(copy);
    return in_chunks(mine.size(), copies_.macs(), progress, [&](Range chunk) {
      micro_kernels::TapSum sum = sum_;
      sum.clamp = tensors.clamp;
      for (std::int64_t t = mine.begin + chunk.begin; t < mine.begin + chunk.end; ++t) {
        const std::int64_t n = t / copies_.per_image;
        const std::int64_t channel = t % copies_.per_image * kBlock;
        copies_.copy(tensors.image, n, channel, copy);
        sum.w = tensors.weights + p.weights.first + channel;
        sum.start = tensors.bias ? tensors.bias + p.bias_offset + channel : kZeros;
        for (std::int64_t i = 0; i < p.rows.windows; ++i) {
          sum.cells.data = copy + i * copies_.row_step();
          sum.out = tensors.out + p.out.at(n, i, 0) + channel;
          p.kernels->tap_kernels[0].sum(sum);
        }
      }
    });
  }

 private:
  BlockCopies copies_;
  Pass pass_;
  std::int64_t blocks_;
  Offset copy_;
  micro_kernels::TapSum sum_;  ///< the sizes and steps of a row of outputs
};

/// dw: for each block of channels, the products of all images.
class ChannelBlockWeights final : public Executable {
 public:
  ChannelBlockWeights(const StridedMatmul& p, int threads, double cost) noexcept
      : copies_(p), copy_(own_.take(copy_floats(p))) {
    parts_ = parts_of(copies_.per_image, threads);
    cost_ = largest_part(copies_.per_image, parts_) * cost;
  }

  bool run(const Operands& o, Part part, const Memory& memory, const ProgressHook& progress) const noexcept override {
    const StridedMatmul& p = copies_.p;
    const Range mine = part.of(copies_.per_image);
    float* const copy = copy_.in(memory.own);
    copies_.clear(copy);
    return in_chunks(mine.size(), p.n * copies_.macs(), progress, [&](Range chunk) {
      for (std::int64_t t = mine.begin + chunk.begin; t < mine.begin + chunk.end; ++t) {
        const std::int64_t channel = t * kBlock;
        micro_kernels::TapProducts products{.cells = {.row = copies_.row(), .column = kBlock, .pixel = copies_.pixel()},
                                            .cells_line = copies_.row_step(),
                                            .dy_pixel = p.out.col,
                                            .dy_line = p.out.row,
                                            .dw = o.out + channel,
                                            .dw_row = p.weights.row,
                                            .dw_column = p.weights.col,
                                            .lines = p.rows.windows,
                                            .pixels = p.cols.windows,
                                            .channels = kBlock};
        for (std::int64_t tap = 0; tap < p.taps(); ++tap) zero_floats(kBlock, products.dw + tap * p.weights.col);
        for (std::int64_t n = 0; n < p.n; ++n) {
          copies_.copy(o.x, n, channel, copy);
          products.cells.data = copy;
          products.dy = o.dy + n * p.out.image + channel;
          p.kernels->tap_kernels[0].products(products);
        }
      }
    });
  }

 private:
  BlockCopies copies_;
  Offset copy_;
};

}  // namespace

bool prefers_channel_blocks(const StridedMatmul& p) noexcept {
  if (p.kernels->reads_in_order()) return false;
  if (p.channels != 1 || p.out_channels != 1 || p.groups % kSameSets != 0) return false;
  if (p.rows.taps != 3 || p.cols.taps != 3 || p.rows.dilation != 1 || p.cols.dilation != 1) return false;
  if (p.rows.windows == 0 || p.cols.windows == 0) return false;
  return copy_floats(p).value_or(kMaxFloatsOfCopy + 1) <= kMaxFloatsOfCopy;
}

ExecutablePointer prepare_channel_blocks(const StridedMatmul& product, Pass pass, int threads, double cost) {
  if (pass == Pass::backward_weights) return std::make_unique<ChannelBlockWeights>(product, threads, cost);
  return std::make_unique<ChannelBlocksExecutable>(product, pass, threads, cost);
}

}  // namespace conv2d::engine
