#include "algorithms/depthwise_blocks.hpp"

#include <algorithm>

#include "algorithms/depthwise.hpp"
#include "algorithms/loops.hpp"
#include "gemm/window_blocks.hpp"
#include "transforms/lane_copy.hpp"

namespace conv2d::algorithm {
namespace {

/// A line of the cache, and a full AVX-512 register.
constexpr std::int64_t kBlock = 16;
/// Cells a multiple of 1 kB apart fall into four sets or fewer of a cache of 64: 14 x 14 cells of 512 channels took 170
/// microseconds without the copy, 110 with it, and those of 480 channels 70 and 98.
constexpr std::int64_t kSameSets = 256;
/// Floats of a copy at most: 24 kB of a 32 kB L1.
constexpr std::int64_t kMostFloats = 6144;

CheckedInt copy_floats(const gemm::WindowProduct& p) noexcept {
  return gemm::reach(p.rows, p.rows.windows) * gemm::reach(p.cols, p.cols.windows) * kBlock;
}

/// Copies `channels` channels from `channel` on of all cells of image n that windows reach, with zeros around them.
void copy_block(const gemm::WindowProduct& p, std::int64_t n, std::int64_t channel, std::int64_t channels,
                float* to) noexcept {
  const std::int64_t rows = gemm::reach(p.rows, p.rows.windows).value();
  const std::int64_t cols = gemm::reach(p.cols, p.cols.windows).value();
  const Range inside_rows = inside(rows, 1, p.rows.first, p.rows.size);
  const Range inside_cols = inside(cols, 1, p.cols.first, p.cols.size);
  for (std::int64_t r = 0; r < rows; ++r) {
    const bool stored = r >= inside_rows.begin && r < inside_rows.end && inside_cols.size() > 0;
    const Range c = stored ? inside_cols : Range{cols, cols};
    to = zero_run(c.begin * channels, to);
    if (!stored) continue;
    const std::int64_t cell = (n * p.rows.size + p.rows.first + r) * p.cols.size + p.cols.first + c.begin;
    copy_lanes(channels, c.size(), p.image + cell * p.groups + channel, p.groups, to, channels);
    to = zero_run((cols - c.end) * channels, to + c.size() * channels);
  }
}

}  // namespace

bool in_channel_blocks(const Geometry& g, const gemm::WindowProduct& p) noexcept {
  if (!has_tap_rows(g) || g.k % kSameSets != 0 || p.taps() == 0) return false;
  if (p.rows.windows == 0 || p.cols.windows == 0) return false;
  return copy_floats(p).value_or(kMostFloats + 1) <= kMostFloats;
}

std::int64_t channel_block_floats(const Geometry& g, const gemm::WindowProduct& p) noexcept {
  return in_channel_blocks(g, p) ? copy_floats(p).value() : 0;
}

std::int64_t channel_blocks(const gemm::WindowProduct& p) noexcept { return p.n * gemm::ceil_div(p.groups, kBlock); }

bool run_channel_blocks(const Geometry& g, const gemm::WindowProduct& p, Share share, float* copy,
                        const ProgressHook& progress) noexcept {
  const Range blocks = share.of(channel_blocks(p));
  const std::int64_t per_image = gemm::ceil_div(p.groups, kBlock);
  const std::int64_t macs = p.rows.windows * p.cols.windows * p.taps() * kBlock;
  return in_portions(blocks.size(), macs, progress, [&](Range portion) {
    for (std::int64_t t = blocks.begin + portion.begin; t < blocks.begin + portion.end; ++t) {
      const std::int64_t n = t / per_image;
      const std::int64_t channel = t % per_image * kBlock;
      const std::int64_t channels = std::min(kBlock, p.groups - channel);
      copy_block(p, n, channel, channels, copy);
      const std::int64_t row = gemm::reach(p.cols, p.cols.windows).value() * channels;
      for (std::int64_t i = 0; i < p.rows.windows; ++i) {
        sum_tap_rows(g, {0, p.rows.taps},
                     {.cells = {.data = copy + i * p.rows.step * row,
                                .row = stride_of(p.rows.taps, p.rows.dilation, row),
                                .column = stride_of(p.cols.taps, p.cols.dilation, channels),
                                .pixel = stride_of(p.cols.windows, p.cols.step, channels)},
                      .w = p.weights.first + channel,
                      .w_row = p.weights.row,
                      .w_column = p.weights.col,
                      .out = p.out + n * p.out_image + i * p.out_row + channel,
                      .out_pixel = p.out_col,
                      .pixels = p.cols.windows,
                      .channels = channels},
                     p.bias ? p.bias + channel : nullptr);
      }
    }
  });
}

}  // namespace conv2d::algorithm
