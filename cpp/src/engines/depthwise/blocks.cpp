#include "engines/depthwise/rows.hpp"
#include "engines/loops.hpp"
#include "engines/windows/windows.hpp"
#include "transforms/lane_copy.hpp"

/// 3 x 3 depthwise passes of small images with 256, 512, ... channels. Their pixels are a power of two apart, so that a
/// row of them, register by register, maps to a few sets of the L1 cache and is loaded from L2 again and again. The
/// engine therefore copies the cells of a few channels first, with zeros around them, and computes all their outputs
/// from the copy. The steps of the copy are constants (in a browser, 14 x 14 x 512 takes a fifth less time than with
/// steps that depend on the image).
namespace conv2d::engine {
namespace {

constexpr std::int64_t kBlock = micro_kernels::kTapBlock;
/// Cells a multiple of 1 kB apart map to four or fewer of the 64 sets of a cache: 14 x 14 cells of 512 channels took
/// 170 microseconds without the copy and 110 with it, those of 480 channels 70 and 98.
constexpr std::int64_t kSameSets = 256;
/// Most floats of a copy: 24 kB of a 32 kB L1.
constexpr std::int64_t kMaxFloatsOfCopy = 6144;

CheckedInt copy_floats(const WindowProduct& p) noexcept {
  return reach(p.rows, p.rows.windows) * reach(p.cols, p.cols.windows) * kBlock;
}

class ChannelBlocksExecutable final : public Executable {
 public:
  ChannelBlocksExecutable(const WindowProduct& p, Pass pass, int threads, double cost) noexcept
      : p_(p),
        pass_(pass),
        cell_rows_(reach(p.rows, p.rows.windows).value()),
        cell_cols_(reach(p.cols, p.cols.windows).value()),
        inside_rows_(inside(cell_rows_, 1, p.rows.first, p.rows.size)),
        inside_cols_(inside(cell_cols_, 1, p.cols.first, p.cols.size)),
        per_image_(ceil_div(p.groups, kBlock)),
        blocks_(p.n * per_image_),
        copy_(own_.take(copy_floats(p))) {
    const std::int64_t row = cell_cols_ * kBlock;
    block_ = {.row = row,
              .pixel = stride_of(p.cols.windows, p.cols.step, kBlock),
              .row_step = stride_of(p.rows.windows, p.rows.step, row),
              .w_row = p.weights.row,
              .w_column = p.weights.col,
              .out_row = p.out_row,
              .out_pixel = p.out_col,
              .rows = p.rows.windows,
              .pixels = p.cols.windows};
    parts_ = parts_of(blocks_, threads);
    cost_ = largest_part(blocks_, parts_) * cost;
  }

  bool run(const Operands& o, Part part, const Memory& memory, const ProgressHook& progress) const noexcept override {
    const WindowTensors tensors = window_tensors(o, pass_);
    const Range mine = part.of(blocks_);
    constexpr float kZeros[kBlock] = {};
    float* const copy = copy_.in(memory.own);
    const std::int64_t macs = p_.rows.windows * p_.cols.windows * p_.taps() * kBlock;
    return in_chunks(mine.size(), macs, progress, [&](Range chunk) {
      micro_kernels::TapBlock block = block_;
      block.cells = copy;
      for (std::int64_t t = mine.begin + chunk.begin; t < mine.begin + chunk.end; ++t) {
        const std::int64_t n = t / per_image_;
        const std::int64_t channel = t % per_image_ * kBlock;
        copy_block(tensors.image, n, channel, copy);
        block.w = tensors.weights + p_.weights.first + channel;
        block.start = tensors.bias ? tensors.bias + p_.bias_offset + channel : kZeros;
        block.out = tensors.out + p_.out_offset + n * p_.out_image + channel;
        p_.kernels->tap_block(block);
      }
    });
  }

 private:
  /// Copies kBlock channels, from `channel`, of all cells of image n that windows reach, with zeros around them.
  void copy_block(const float* image, std::int64_t n, std::int64_t channel, float* to) const noexcept {
    const WindowProduct& p = p_;
    for (std::int64_t r = 0; r < cell_rows_; ++r) {
      const bool stored = r >= inside_rows_.begin && r < inside_rows_.end && inside_cols_.size() > 0;
      const Range c = stored ? inside_cols_ : Range{cell_cols_, cell_cols_};
      to = zero_floats(c.begin * kBlock, to);
      if (!stored) continue;
      const std::int64_t cell = (n * p.rows.size + p.rows.first + r) * p.cols.size + p.cols.first + c.begin;
      copy_lanes(kBlock, c.size(), image + p.image_offset + cell * p.groups + channel, p.groups, to, kBlock);
      to = zero_floats((cell_cols_ - c.end) * kBlock, to + c.size() * kBlock);
    }
  }

  WindowProduct p_;
  Pass pass_;
  std::int64_t cell_rows_, cell_cols_;  ///< reached by windows
  Range inside_rows_, inside_cols_;     ///< inside the image
  std::int64_t per_image_;              ///< blocks
  std::int64_t blocks_;
  Offset copy_;
  micro_kernels::TapBlock block_;  ///< its sizes and steps
};

}  // namespace

bool prefers_channel_blocks(const WindowProduct& p) noexcept {
  if (p.channels != 1 || p.out_channels != 1 || p.groups % kSameSets != 0) return false;
  if (p.rows.taps != 3 || p.cols.taps != 3 || p.rows.dilation != 1 || p.cols.dilation != 1) return false;
  if (p.rows.windows == 0 || p.cols.windows == 0) return false;
  return copy_floats(p).value_or(kMaxFloatsOfCopy + 1) <= kMaxFloatsOfCopy;
}

ExecutablePointer prepare_channel_blocks(const WindowProduct& product, Pass pass, int threads, double cost) {
  return std::make_unique<ChannelBlocksExecutable>(product, pass, threads, cost);
}

}  // namespace conv2d::engine
