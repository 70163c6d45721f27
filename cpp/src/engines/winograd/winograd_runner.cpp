#include "engines/winograd/winograd_plan.hpp"

#include <algorithm>

#include "engines/loops.hpp"
#include "engines/windows/window_plan.hpp"
#include "micro_kernels/kernel_set.hpp"
#include "transforms/lane_copy.hpp"

namespace conv2d::engine {

void TiledImages::transform(micro_kernels::WinogradFunction function, std::int64_t side, const WinogradTile& tile,
                            std::int64_t lanes, float* edge,
                            micro_kernels::WinogradTransform transform) const noexcept {
  const Range down = inside(side, 1, tile.i, rows);
  const Range across = inside(side, 1, tile.j, cols);
  const auto cell_at = [&](std::int64_t row, std::int64_t col) {
    return cells + ((tile.n * rows + tile.i + row) * cols + tile.j + col) * cell;
  };
  std::int64_t read = 0;  // channels that are read in place: all whole registers of a tile that is inside
  if (down.size() == side && across.size() == side) {
    read = channels / lanes * lanes;
    transform.from = cell_at(0, 0);
    transform.from_col = offset(cell);
    transform.from_row = offset(cols * cell);
    transform.count = offset(read);
    function(transform);
    if (read == channels) return;
  }
  const std::int64_t width = round_up(channels - read, lanes);
  zero_floats(side * side * width, edge);
  for (std::int64_t row = down.begin; row < down.end; ++row) {
    for (std::int64_t col = across.begin; col < across.end; ++col) {
      copy_floats(cell_at(row, col) + read, channels - read, edge + (row * side + col) * width);
    }
  }
  transform.from = edge;
  transform.from_col = offset(width);
  transform.from_row = offset(side * width);
  transform.to += read;
  transform.count = offset(width);
  function(transform);
}

WinogradRunner::WinogradRunner(const WinogradPlan& plan, const WindowTensors& tensors, Part part,
                               const Memory& memory) noexcept
    : plan_(plan),
      product_(plan.product),
      shape_(plan.shape),
      tensors_(tensors),
      part_(part),
      tiles_(plan.shape.tiles_of(part)),
      panels_(plan.shape.panels_of(part)),
      cells_(plan.cells.in(plan.common_cells() ? memory.common : memory.own)),
      weights_(plan.weights.in(plan.common_weights() ? memory.common : memory.own)),
      products_(plan.products.in(memory.own)),
      edge_(plan.edge.in(memory.own)) {}

void WinogradRunner::fill_common() noexcept {
  if (plan_.common_weights()) {
    const Range panels = part_.of(shape_.panels.count);
    for (std::int64_t panel = panels.begin; panel < panels.end; ++panel)
      plan_.transform_weights(tensors_.weights, panel, place_of(panel));
  } else {
    first_ = 0;
    count_ = shape_.tiles;
    transform_cells(part_.of(count_));
  }
}

bool WinogradRunner::run(const ProgressHook& hook) noexcept {
  const std::int64_t block = shape_.block_of(tiles_.size());
  const std::int64_t macs = shape_.outputs * shape_.outputs * product_.reduction() * shape_.panels.widest();
  Progress progress(hook, tiles_.size() * panels_.size() * macs);
  for (first_ = tiles_.begin; first_ < tiles_.end; first_ += block) {
    count_ = std::min(block, tiles_.end - first_);
    if (!plan_.common_cells()) transform_cells({0, count_});
    for (std::int64_t panel = panels_.begin; panel < panels_.end; ++panel) {
      multiply(panel, weights_of(panel, first_ == tiles_.begin && !plan_.common_weights()));
      write_outputs(panel);
      if (!progress.advance(count_ * macs)) return false;
    }
  }
  return true;
}

WinogradTile WinogradRunner::tile_at(std::int64_t tile) const noexcept {
  return WinogradTile::at(tile, shape_.down, shape_.across, shape_.outputs);
}

float* WinogradRunner::place_of(std::int64_t panel) const noexcept {
  return weights_ + (shape_.keeps_weights ? panel * shape_.panel_floats() : 0);
}

const float* WinogradRunner::weights_of(std::int64_t panel, bool transform) const noexcept {
  if (tensors_.packed) return tensors_.packed + panel * shape_.panel_floats();
  if (transform) plan_.transform_weights(tensors_.weights, panel, place_of(panel));
  return place_of(panel);
}

void WinogradRunner::transform_cells(Range range) noexcept {
  const StridedMatmul& p = product_;
  const TiledImages images{.cells = tensors_.image + p.image_offset,
                           .rows = p.rows.size,
                           .cols = p.cols.size,
                           .cell = p.channels,
                           .channels = p.channels};
  micro_kernels::WinogradTransform transform{.to_col = matrix_step(count_ * shape_.channels)};
  transform.to_row = transform.to_col * offset(shape_.side());
  for (std::int64_t t = range.begin; t < range.end; ++t) {
    WinogradTile tile = tile_at(first_ + t);
    tile.i += p.rows.first;
    tile.j += p.cols.first;
    transform.to = cells_ + t * shape_.channels;
    images.transform(plan_.kernels->cells, shape_.side(), tile, product_.kernels->lanes, products_, transform);
  }
}

void WinogradPlan::transform_weights(const float* w, std::int64_t panel, float* transformed) const noexcept {
  const std::int64_t width = shape.panels.vectors_of(panel) * shape.panels.lanes;
  const std::ptrdiff_t step = matrix_step(product.channels * width);
  // The taps lie where the last matrices go: the kernel reads a register of all taps before it writes that of any
  // matrix.
  float* const taps = transformed + (shape.matrices() - 9) * step;
  pack_panel(product, w, 0, shape.panels.first_column(panel), width, taps, step);
  kernels->weights({.from = taps,
                    .from_row = 3 * step,
                    .from_col = step,
                    .to = transformed,
                    .to_row = offset(shape.side()) * step,
                    .to_col = step,
                    .count = offset(product.channels * width)});
}

void WinogradRunner::multiply(std::int64_t panel, const float* weights) noexcept {
  const std::int64_t vectors = shape_.panels.vectors_of(panel);
  const std::int64_t width = vectors * shape_.panels.lanes;
  const float zeros[micro_kernels::kMaxTileVectors * micro_kernels::kMaxLanes] = {};
  // The rows of the first matrix. Those of each further matrix are one step further.
  const float* windows[kBlockWindows];
  float* out[kBlockWindows];
  const std::int64_t whole = std::max<std::int64_t>(count_, micro_kernels::kMaxWindowRows);
  for (std::int64_t t = 0; t < whole; ++t) {
    const std::int64_t row = std::min(t, count_ - 1);
    windows[t] = cells_ + row * shape_.channels;
    out[t] = products_ + row * width;
  }
  micro_kernels::WindowTile tiles{.windows = windows,
                                  .out = out,
                                  .start = zeros,
                                  .columns = offset(width),
                                  .spans = {.rows = 1, .cols = 1, .length = offset(product_.channels)}};
  for (std::int64_t m = 0; m < shape_.matrices(); ++m) {
    tiles.b = weights + m * matrix_step(product_.channels * width);
    tiles.spans.first_a = offset(m) * matrix_step(count_ * shape_.channels);
    tiles.first_out = offset(m) * matrix_step(count_ * width);
    multiply_windows(*product_.kernels, tiles, offset(count_), offset(vectors));
  }
}

void WinogradRunner::write_outputs(std::int64_t panel) noexcept {
  const StridedMatmul& p = product_;
  const std::int64_t m = shape_.outputs;
  const std::int64_t width = shape_.panels.vectors_of(panel) * shape_.panels.lanes;
  const std::int64_t column = shape_.panels.first_column(panel);
  const std::int64_t columns = std::min(width, p.out_channels - column);
  float start[micro_kernels::kMaxTileVectors * micro_kernels::kMaxLanes] = {};
  if (tensors_.bias) std::copy_n(tensors_.bias + p.bias_offset + column, columns, start);
  micro_kernels::WinogradTransform transform{
      .from_col = matrix_step(count_ * width), .count = offset(width), .start = start, .clamp = tensors_.clamp};
  transform.from_row = transform.from_col * offset(shape_.side());
  for (std::int64_t t = 0; t < count_; ++t) {
    const WinogradTile tile = tile_at(first_ + t);
    const std::int64_t rows = std::min(m, p.rows.windows - tile.i);
    const std::int64_t cols = std::min(m, p.cols.windows - tile.j);
    float* out = tensors_.out + p.out.at(tile.n, tile.i, tile.j) + column;
    const bool whole = rows == m && cols == m && columns == width;
    transform.from = products_ + t * width;
    transform.to = whole ? out : edge_;
    transform.to_row = offset(whole ? p.out.row : m * width);
    transform.to_col = offset(whole ? p.out.col : width);
    plan_.kernels->outputs_of(transform);
    if (whole) continue;
    for (std::int64_t r = 0; r < rows; ++r) {
      for (std::int64_t c = 0; c < cols; ++c) {
        copy_floats(edge_ + (r * m + c) * width, columns, out + r * p.out.row + c * p.out.col);
      }
    }
  }
}

}  // namespace conv2d::engine
