#include "algorithms/depthwise_blocks.hpp"

#include <algorithm>

#include "algorithms/depthwise.hpp"
#include "algorithms/loops.hpp"
#include "gemm/window_blocks.hpp"
#include "micro_kernels/kernel_set.hpp"
#include "transforms/lane_copy.hpp"

namespace conv2d::algorithm {
namespace {

constexpr std::int64_t kBlock = micro_kernels::kTapBlock;
/// Cells a multiple of 1 kB apart fall into four sets or fewer of a cache of 64: 14 x 14 cells of 512 channels took 170
/// microseconds without the copy, 110 with it, and those of 480 channels 70 and 98.
constexpr std::int64_t kSameSets = 256;
/// Floats of a copy at most: 24 kB of a 32 kB L1.
constexpr std::int64_t kMostFloats = 6144;

CheckedInt copy_floats(const gemm::WindowProduct& p) noexcept {
  return gemm::reach(p.rows, p.rows.windows) * gemm::reach(p.cols, p.cols.windows) * kBlock;
}

/// Copies kBlock channels from `channel` on of all cells of image n that windows reach, with zeros around them.
void copy_block(const gemm::WindowProduct& p, std::int64_t n, std::int64_t channel, float* to) noexcept {
  const std::int64_t rows = gemm::reach(p.rows, p.rows.windows).value();
  const std::int64_t cols = gemm::reach(p.cols, p.cols.windows).value();
  const Range inside_rows = inside(rows, 1, p.rows.first, p.rows.size);
  const Range inside_cols = inside(cols, 1, p.cols.first, p.cols.size);
  for (std::int64_t r = 0; r < rows; ++r) {
    const bool stored = r >= inside_rows.begin && r < inside_rows.end && inside_cols.size() > 0;
    const Range c = stored ? inside_cols : Range{cols, cols};
    to = zero_run(c.begin * kBlock, to);
    if (!stored) continue;
    const std::int64_t cell = (n * p.rows.size + p.rows.first + r) * p.cols.size + p.cols.first + c.begin;
    copy_lanes(kBlock, c.size(), p.image + cell * p.groups + channel, p.groups, to, kBlock);
    to = zero_run((cols - c.end) * kBlock, to + c.size() * kBlock);
  }
}

}  // namespace

bool in_channel_blocks(const Geometry& g, const gemm::WindowProduct& p) noexcept {
  if (!has_tap_rows(g) || g.k % kSameSets != 0) return false;
  if (p.rows.taps != 3 || p.cols.taps != 3 || p.rows.dilation != 1 || p.cols.dilation != 1) return false;
  if (p.rows.windows == 0 || p.cols.windows == 0) return false;
  return copy_floats(p).value_or(kMostFloats + 1) <= kMostFloats;
}

std::int64_t channel_block_floats(const Geometry& g, const gemm::WindowProduct& p) noexcept {
  return in_channel_blocks(g, p) ? copy_floats(p).value() : 0;
}

std::int64_t channel_blocks(const gemm::WindowProduct& p) noexcept { return p.n * ceil_div(p.groups, kBlock); }

bool run_channel_blocks(const gemm::WindowProduct& p, Share share, float* copy, const ProgressHook& progress) noexcept {
  const Range blocks = share.of(channel_blocks(p));
  const std::int64_t per_image = ceil_div(p.groups, kBlock);
  const std::int64_t row = gemm::reach(p.cols, p.cols.windows).value() * kBlock;
  constexpr float kZeros[kBlock] = {};
  const std::int64_t macs = p.rows.windows * p.cols.windows * p.taps() * kBlock;
  return in_portions(blocks.size(), macs, progress, [&](Range portion) {
    for (std::int64_t t = blocks.begin + portion.begin; t < blocks.begin + portion.end; ++t) {
      const std::int64_t n = t / per_image;
      const std::int64_t channel = t % per_image * kBlock;
      copy_block(p, n, channel, copy);
      micro_kernels::kernels().tap_block({.cells = copy,
                                          .row = row,
                                          .pixel = stride_of(p.cols.windows, p.cols.step, kBlock),
                                          .row_step = stride_of(p.rows.windows, p.rows.step, row),
                                          .w = p.weights.first + channel,
                                          .w_row = p.weights.row,
                                          .w_column = p.weights.col,
                                          .start = p.bias ? p.bias + channel : kZeros,
                                          .out = p.out + n * p.out_image + channel,
                                          .out_row = p.out_row,
                                          .out_pixel = p.out_col,
                                          .rows = p.rows.windows,
                                          .pixels = p.cols.windows});
    }
  });
}

}  // namespace conv2d::algorithm
