#include "engines/windows/window_plan.hpp"

#include "dcheck/dcheck.hpp"
#include "transforms/lane_copy.hpp"

namespace conv2d::engine {
namespace {

/// The rows of windows that the kernels read, of `count`.
std::int64_t kernel_rows(std::int64_t count) noexcept {
  return std::max<std::int64_t>(count, micro_kernels::kMaxWindowRows);
}

CheckedInt scratch_floats(const WindowPlan& plan) noexcept {
  const StridedMatmul& p = plan.product;
  if (plan.blocks > 1) return packed_weights_floats(p);
  const CheckedInt reduction = CheckedInt(p.rows.taps) * p.cols.taps * p.channels;
  return reduction * (plan.panels.dots ? p.out_channels : plan.panels.widest());
}

}  // namespace

WindowPlan WindowPlan::of(const StridedMatmul& product, ScratchLayout& scratch) noexcept {
  CONV2D_DCHECK(product.n >= 0 && product.groups >= 1 && product.channels >= 0 && product.out_channels >= 0);
  CONV2D_DCHECK((product.rows.taps == 0) == (product.cols.taps == 0));
  const BlockShape block = BlockShape::of(product);
  WindowPlan plan{.product = product,
                  .block = block,
                  .blocks = block.blocks(product),
                  .panels = Panels::of(product),
                  .packed = {},
                  .padded = {},
                  .initial_rows = {}};
  plan.packed = scratch.take(scratch_floats(plan));
  plan.padded = scratch.take(block.padded_floats(product));
  if (product.initial_sums != InitialSums::bias_of_columns) {
    plan.initial_rows = scratch.take(CheckedInt(kernel_rows(block.n * block.i * block.j)) * plan.panels.widest());
  }
  return plan;
}

// NOLINTNEXTLINE(cppcoreguidelines-pro-type-member-init): each block writes its addresses before it reads them
WindowRunner::WindowRunner(const WindowPlan& plan, const WindowTensors& tensors, float* scratch) noexcept
    : plan_(plan),
      tensors_(tensors),
      packed_(plan.packed.in(scratch)),
      padded_(plan.padded.in(scratch)),
      initial_rows_(plan.initial_rows.in(scratch)) {}

bool WindowRunner::run(Progress& progress) noexcept {
  for (std::int64_t block = 0; block < plan_.blocks; ++block) {
    begin_block(plan_.block.at(plan_.product, block));
    for (std::int64_t group = 0; group < plan_.product.groups; ++group) {
      for (std::int64_t panel = 0; panel < plan_.panels.count; ++panel) {
        if (plan_.panels.dots) {
          multiply_dots(group, block == 0);
        } else {
          multiply_panel(group, panel, block == 0);
        }
        if (!progress.advance(plan_.macs_of_panel())) return false;
      }
    }
  }
  return true;
}

void WindowRunner::begin_block(const WindowBlock& block) noexcept {
  const StridedMatmul& p = plan_.product;
  const std::int64_t cell = p.cell();
  row_taps_ = {0, p.rows.taps};
  col_taps_ = {0, p.cols.taps};
  row_stride_ = p.cols.size * cell;
  std::int64_t image_stride = p.rows.size * row_stride_;
  // The cell under the first tap of the block's first window that is read.
  const float* first = tensors_.image + p.image_offset;
  if (plan_.block.access == InputAccess::padded) {
    copy_padded(p, block, tensors_.image, padded_);
    first = padded_;
    row_stride_ = reach(p.cols, block.j.size()).value() * cell;
    image_stride = reach(p.rows, block.i.size()).value() * row_stride_;
  } else {
    if (plan_.block.access == InputAccess::clipped) {
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
  // A step that is never taken may be too large to multiply.
  const std::int64_t row_step = block.i.size() > 1 ? p.rows.step * row_stride_ : 0;
  const std::int64_t col_step = block.j.size() > 1 && row_taps_.size() > 0 ? p.cols.step * cell : 0;
  const float** windows = windows_.data();
  float** outs = out_.data();
  for (std::int64_t n = 0; n < block.n.size(); ++n) {
    for (std::int64_t i = 0; i < block.i.size(); ++i) {
      const float* window = first + n * image_stride + i * row_step;
      float* out = tensors_.out + p.out.at(block.n.begin + n, block.i.begin + i, block.j.begin);
      for (auto j = offset(block.j.size()); j > 0; --j) {
        *windows++ = window;
        *outs++ = out;
        window += col_step;
        out += p.out.col;
      }
    }
  }
  count_ = block.count();
  for (std::int64_t t = count_; t < micro_kernels::kMaxWindowRows; ++t) {
    windows_[static_cast<std::size_t>(t)] = windows_[static_cast<std::size_t>(count_ - 1)];
    out_[static_cast<std::size_t>(t)] = out_[static_cast<std::size_t>(count_ - 1)];
  }
  if (p.initial_sums != InitialSums::bias_of_rows || !tensors_.bias) return;
  CONV2D_DCHECK(block.n.size() == 1 && block.j.size() == 1);
  const float* bias = tensors_.bias + p.bias_offset + block.i.begin;
  for (std::int64_t t = 0; t < kernel_rows(count_); ++t) {
    std::fill_n(initial_rows_ + t * plan_.panels.widest(), plan_.panels.widest(), bias[std::min(t, count_ - 1)]);
  }
}

micro_kernels::WindowSpans WindowRunner::spans(std::int64_t group, std::int64_t width) const noexcept {
  const StridedMatmul& p = plan_.product;
  micro_kernels::WindowSpans spans{.first_a = offset(group * p.channels),
                                   .rows = offset(row_taps_.size()),
                                   .row_a = row_taps_.size() > 1 ? offset(p.rows.dilation * row_stride_) : 0,
                                   .row_b = offset(p.cols.taps * p.channels * width),
                                   .cols = offset(col_taps_.size()),
                                   .col_a = col_taps_.size() > 1 ? offset(p.cols.dilation * p.cell()) : 0,
                                   .length = offset(p.channels)};
  // Adjacent taps are adjacent in memory, too, when every channel of a cell is read.
  if (p.groups == 1 && (p.cols.dilation == 1 || p.cols.taps == 1)) {
    spans.length *= spans.cols;
    spans.cols = 1;
    // So are the rows of the only window across a whole image: x_col in c_kh_kw order.
    if (spans.row_a == spans.length && spans.row_b == spans.length * width) {
      spans.length *= spans.rows;
      spans.rows = 1;
    }
  }
  return spans;
}

const float* WindowRunner::weights(std::int64_t group, std::int64_t panel, bool pack) const noexcept {
  const std::int64_t before = packed_before(plan_.product, plan_.panels, group, panel);
  if (tensors_.packed) return tensors_.packed + plan_.product.packed_offset + before;
  float* const b = packed_ + (plan_.blocks > 1 ? before : 0);
  if (pack) pack_weights_at(plan_.product, plan_.panels, tensors_.weights, group, panel, b);
  return b;
}

void WindowRunner::fill(float* start, std::int64_t first_out, std::int64_t columns) noexcept {
  if (tensors_.clamp) plan_.product.kernels->clamp(*tensors_.clamp, start, offset(columns));
  for (std::int64_t t = 0; t < count_; ++t) copy_floats(start, columns, out_[static_cast<std::size_t>(t)] + first_out);
}

void WindowRunner::multiply_panel(std::int64_t group, std::int64_t panel, bool pack) noexcept {
  const StridedMatmul& p = plan_.product;
  const std::int64_t vectors = plan_.panels.vectors_of(panel);
  const std::int64_t width = vectors * plan_.panels.lanes;
  const std::int64_t column = plan_.panels.first_column(panel);
  const float* b = weights(group, panel, pack);

  const std::int64_t columns = std::min(width, p.out_channels - column);
  const std::int64_t first_out = group * p.out_channels + column;
  float start[micro_kernels::kMaxPanelVectors * micro_kernels::kMaxLanes];
  const auto fill_start = [&](const float* from, float* to) {
    float* const after = from ? copy_floats(from, columns, to) : to;
    zero_floats(to + width - after, after);
  };
  const bool same_start =
      p.initial_sums == InitialSums::bias_of_columns || (p.initial_sums == InitialSums::bias_of_rows && !tensors_.bias);
  if (same_start) {
    fill_start(tensors_.bias ? tensors_.bias + p.bias_offset + first_out : nullptr, start);
  } else if (p.initial_sums == InitialSums::output) {
    for (std::int64_t t = 0; t < kernel_rows(count_); ++t) {
      fill_start(out_[static_cast<std::size_t>(t)] + first_out, initial_rows_ + t * plan_.panels.widest());
    }
  }
  if (row_taps_.size() == 0) return fill(start, first_out, columns);
  const micro_kernels::WindowTile tiles{
      .windows = windows_.data(),
      .out = out_.data(),
      .b = b + (row_taps_.begin * p.cols.taps + col_taps_.begin) * p.channels * width,
      .start = same_start ? start : initial_rows_,
      .start_row = same_start ? 0 : offset(plan_.panels.widest()),
      .first_out = offset(first_out),
      .columns = offset(columns),
      .spans = spans(group, width),
      .clamp = tensors_.clamp,
  };
  multiply_windows(*p.kernels, tiles, offset(count_), offset(vectors));
}

void WindowRunner::multiply_dots(std::int64_t group, bool pack) noexcept {
  const StridedMatmul& p = plan_.product;
  const micro_kernels::KernelSet& k = *p.kernels;
  const float* b = weights(group, 0, pack);
  float bias[micro_kernels::kMaxDotColumns] = {};
  if (tensors_.bias) std::copy_n(tensors_.bias + p.bias_offset + group * p.out_channels, p.out_channels, bias);
  if (row_taps_.size() == 0) return fill(bias, group * p.out_channels, p.out_channels);
  float start[micro_kernels::kMaxDotColumns * micro_kernels::kMaxLanes] = {};
  for (std::int64_t j = 0; j < p.out_channels; ++j) start[j * k.lanes] = bias[j];
  const micro_kernels::DotTile tiles{
      .windows = windows_.data(),
      .out = out_.data(),
      .rows = offset(std::max<std::int64_t>(count_, k.dot_rows[p.out_channels - 1])),
      .b = b + (row_taps_.begin * p.cols.taps + col_taps_.begin) * p.channels * p.out_channels,
      .start = start,
      .first_out = offset(group * p.out_channels),
      .spans = spans(group, p.out_channels),
      .clamp = tensors_.clamp,
  };
  k.dot_tile[p.out_channels - 1](tiles);
}

}  // namespace conv2d::engine
