#include "gemm/window_run.hpp"

#include <algorithm>

#include "gemm/window_tiles.hpp"
#include "gemm/workspace.hpp"
#include "micro_kernels/kernel_set.hpp"
#include "transforms/lane_copy.hpp"

namespace conv2d::gemm {
namespace {

using micro_kernels::KernelSet;

/// Floats that a run packs. With one block each panel is needed once: it is packed when its turn comes, and read out of
/// the cache. With several, the first block packs them all.
CheckedInt scratch_floats(const WindowProduct& p, bool one_block) noexcept {
  if (p.packed) return 0;
  if (!one_block) return packed_weights_floats(p);
  const CheckedInt depth = CheckedInt(p.rows.taps) * p.cols.taps * p.channels;
  return depth * (takes_dots(p) ? p.columns : Panels::of(p).widest());
}

std::ptrdiff_t offset(std::int64_t floats) noexcept { return static_cast<std::ptrdiff_t>(floats); }

}  // namespace

std::int64_t window_workspace(const WindowProduct& product) noexcept {
  const BlockShape shape = BlockShape::of(product);
  return WorkspaceSize()
      .add(scratch_floats(product, shape.blocks(product) <= 1))
      .add(shape.padded_floats(product))
      .floats();
}

double window_cost(const WindowProduct& p) noexcept {
  const KernelSet& k = micro_kernels::kernels();
  const BlockShape shape = BlockShape::of(p);
  const auto windows = static_cast<double>(p.n) * static_cast<double>(p.rows.windows * p.cols.windows);
  const bool clipped = shape.reading == Reading::clipped;
  const double depth = static_cast<double>(p.depth()) * (clipped ? inside_share(p.rows) * inside_share(p.cols) : 1.0);
  // Cycles, measured on a Zen 3 core: to begin and end a tile, and for each of its runs.
  const bool joined = p.groups == 1 && p.cols.dilation == 1;
  const double runs = 6.0 * static_cast<double>(p.rows.taps * (joined ? 1 : p.cols.taps));
  const double per_tile = 40.0 + runs;
  const auto tile = [&](double cycles, int rows) { return cycles + per_tile / static_cast<double>(rows); };
  double per_window = shape.reading == Reading::padded ? 0.5 * static_cast<double>(p.channels) : 2.0;
  if (takes_dots(p)) {
    const double lanes = k.lanes;
    per_window += tile(0.6 * static_cast<double>(p.columns) * depth / lanes, k.dot_rows[p.columns - 1]);
  } else if (takes_wide_panels(p)) {
    per_window += static_cast<double>(Panels::of(p).count) * (2.2 * depth + 10.0 + runs / 2);
  } else {
    const Panels panels(p.columns);
    const std::int64_t last = panels.vectors_of(panels.count - 1);
    per_window += static_cast<double>(panels.count - 1) * tile(1.1 * depth, k.window_rows[1]);
    per_window += tile(std::max(0.8, 0.55 * static_cast<double>(last)) * depth, k.window_rows[last - 1]);
  }
  const double pack = kPackingCycles * static_cast<double>(p.depth() * p.columns);
  return static_cast<double>(p.groups) * (windows * per_window + pack);
}

// NOLINTNEXTLINE(cppcoreguidelines-pro-type-member-init): each block fills its addresses before it reads them
WindowRun::WindowRun(const WindowProduct& product, float* workspace) noexcept
    : product_(product),
      shape_(BlockShape::of(product)),
      blocks_(shape_.blocks(product)),
      panels_(Panels::of(product)),
      dots_(takes_dots(product)) {
  Workspace scratch(workspace);
  packed_ = scratch.take(scratch_floats(product, blocks_ <= 1).value());
  padded_ = scratch.take(shape_.padded_floats(product).value());
}

std::int64_t WindowRun::macs_per_step() const noexcept {
  const std::int64_t windows = shape_.n * shape_.i * shape_.j;
  return windows * product_.depth() * std::min(product_.columns, panels_.widest());
}

void WindowRun::step(std::int64_t t) noexcept {
  const std::int64_t per_block = product_.groups * panels_per_group();
  const std::int64_t block = t / per_block;
  const std::int64_t in_block = t % per_block;
  if (in_block == 0) begin_block(shape_.at(product_, block));
  const std::int64_t group = in_block / panels_per_group();
  if (dots_) {
    multiply_dots(group, block == 0);
  } else {
    multiply_panel(group, in_block % panels_per_group(), block == 0);
  }
}

void WindowRun::begin_block(const WindowBlock& block) noexcept {
  const WindowProduct& p = product_;
  const std::int64_t cell = p.cell();
  row_taps_ = {0, p.rows.taps};
  col_taps_ = {0, p.cols.taps};
  row_stride_ = p.cols.size * cell;
  std::int64_t image_stride = p.rows.size * row_stride_;
  // The cell under the first tap that is read of the block's first window.
  const float* first = p.image;
  if (shape_.reading == Reading::padded) {
    copy_padded(p, block, padded_);
    first = padded_;
    row_stride_ = reach(p.cols, block.j.size()).value() * cell;
    image_stride = reach(p.rows, block.i.size()).value() * row_stride_;
  } else {
    if (shape_.reading == Reading::clipped) {
      row_taps_ = p.rows.taps_inside(block.i.begin);
      col_taps_ = p.cols.taps_inside(block.j.begin);
    }
    if (row_taps_.size() == 0 || col_taps_.size() == 0) {
      row_taps_ = {};
      image_stride = row_stride_ = 0;
    } else {
      const std::int64_t row = p.rows.first + block.i.begin * p.rows.step + row_taps_.begin * p.rows.dilation;
      const std::int64_t col = p.cols.first + block.j.begin * p.cols.step + col_taps_.begin * p.cols.dilation;
      first += block.n.begin * image_stride + row * row_stride_ + col * cell;
    }
  }
  // A step that nobody takes may be too large to multiply.
  const std::int64_t row_step = block.i.size() > 1 ? p.rows.step * row_stride_ : 0;
  const std::int64_t col_step = block.j.size() > 1 && row_taps_.size() > 0 ? p.cols.step * cell : 0;
  const float** windows = windows_.data();
  float** outs = out_.data();
  for (std::int64_t n = 0; n < block.n.size(); ++n) {
    for (std::int64_t i = 0; i < block.i.size(); ++i) {
      const float* window = first + n * image_stride + i * row_step;
      float* out =
          p.out + (block.n.begin + n) * p.out_image + (block.i.begin + i) * p.out_row + block.j.begin * p.out_col;
      for (auto j = offset(block.j.size()); j > 0; --j) {
        *windows++ = window;
        *outs++ = out;
        window += col_step;
        out += p.out_col;
      }
    }
  }
  count_ = block.count();
  for (std::int64_t t = count_; t < micro_kernels::kMaxWindowRows; ++t) {
    windows_[static_cast<std::size_t>(t)] = windows_[static_cast<std::size_t>(count_ - 1)];
    out_[static_cast<std::size_t>(t)] = out_[static_cast<std::size_t>(count_ - 1)];
  }
}

micro_kernels::WindowRuns WindowRun::runs(std::int64_t group, std::int64_t width) const noexcept {
  const WindowProduct& p = product_;
  micro_kernels::WindowRuns runs{.first_a = offset(group * p.channels),
                                 .rows = offset(row_taps_.size()),
                                 .row_a = row_taps_.size() > 1 ? offset(p.rows.dilation * row_stride_) : 0,
                                 .row_b = offset(p.cols.taps * p.channels * width),
                                 .cols = offset(col_taps_.size()),
                                 .col_a = col_taps_.size() > 1 ? offset(p.cols.dilation * p.cell()) : 0,
                                 .length = offset(p.channels)};
  // Neighbouring taps are neighbours in memory, too, when every channel of a cell is read.
  if (p.groups == 1 && (p.cols.dilation == 1 || p.cols.taps == 1)) {
    runs.length *= runs.cols;
    runs.cols = 1;
  }
  return runs;
}

const float* WindowRun::weights(std::int64_t group, std::int64_t panel, bool pack) const noexcept {
  const std::int64_t before = packed_before(product_, group, panels_.first_column(panel));
  if (product_.packed) return product_.packed + before;
  float* const b = packed_ + (blocks_ > 1 ? before : 0);
  if (pack) pack_part(product_, group, panel, b);
  return b;
}

void WindowRun::fill(const float* start, std::int64_t first_out, std::int64_t columns) noexcept {
  for (std::int64_t t = 0; t < count_; ++t) copy_run(start, columns, out_[static_cast<std::size_t>(t)] + first_out);
}

void WindowRun::multiply_panel(std::int64_t group, std::int64_t panel, bool pack) noexcept {
  const WindowProduct& p = product_;
  const std::int64_t vectors = panels_.vectors_of(panel);
  const std::int64_t width = vectors * panels_.lanes;
  const std::int64_t column = panels_.first_column(panel);
  const float* b = weights(group, panel, pack);

  const std::int64_t columns = std::min(width, p.columns - column);
  float start[micro_kernels::kWideVectors * 16];
  float* const after = p.bias ? copy_run(p.bias + group * p.columns + column, columns, start) : start;
  zero_run(start + width - after, after);
  const std::int64_t first_out = group * p.columns + column;
  if (row_taps_.size() == 0) return fill(start, first_out, columns);
  const micro_kernels::WindowTile tiles{
      .windows = windows_.data(),
      .out = out_.data(),
      .b = b + (row_taps_.begin * p.cols.taps + col_taps_.begin) * p.channels * width,
      .start = start,
      .first_out = offset(first_out),
      .columns = offset(columns),
      .runs = runs(group, width),
  };
  multiply_windows(tiles, offset(count_), offset(vectors));
}

void WindowRun::multiply_dots(std::int64_t group, bool pack) noexcept {
  const WindowProduct& p = product_;
  const KernelSet& k = micro_kernels::kernels();
  const float* b = weights(group, 0, pack);
  float bias[micro_kernels::kMaxDotColumns] = {};
  if (p.bias) std::copy_n(p.bias + group * p.columns, p.columns, bias);
  if (row_taps_.size() == 0) return fill(bias, group * p.columns, p.columns);
  float start[micro_kernels::kMaxDotColumns * 16] = {};
  for (std::int64_t j = 0; j < p.columns; ++j) start[j * k.lanes] = bias[j];
  const micro_kernels::DotTile tiles{
      .windows = windows_.data(),
      .out = out_.data(),
      .rows = offset(std::max<std::int64_t>(count_, k.dot_rows[p.columns - 1])),
      .b = b + (row_taps_.begin * p.cols.taps + col_taps_.begin) * p.channels * p.columns,
      .start = start,
      .first_out = offset(group * p.columns),
      .runs = runs(group, p.columns),
  };
  k.dot_tile[p.columns - 1](tiles);
}

}  // namespace conv2d::gemm
