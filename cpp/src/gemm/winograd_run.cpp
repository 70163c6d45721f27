#include "gemm/winograd_run.hpp"

#include <algorithm>

#include "gemm/workspace.hpp"
#include "micro_kernels/kernel_set.hpp"
#include "transforms/lane_copy.hpp"

namespace conv2d::gemm {
namespace {

using micro_kernels::KernelSet;

/// Transformed cells of a block. Up to kWhole floats they are done at once, so that each panel of weights is
/// transformed when its turn comes, and forgotten; else all weights are kept and the block is one that stays in the L2
/// cache.
constexpr std::int64_t kWhole = 256 * 1024;
constexpr std::int64_t kBlock = 96 * 1024;

std::int64_t round_up(std::int64_t count, std::int64_t to) noexcept { return ceil_div(count, to) * to; }

/// Floats of the transformed weights of a panel.
std::int64_t weights_floats(const WinogradShape& s, const WindowProduct& p, std::int64_t width) noexcept {
  return s.matrices() * WinogradShape::step_of(p.channels * width);
}

std::ptrdiff_t spaced(std::int64_t floats) noexcept {
  return static_cast<std::ptrdiff_t>(WinogradShape::step_of(floats));
}

struct Pieces {
  CheckedInt cells, weights, products, packed, edge;

  Pieces(const WindowProduct& p, const WinogradShape& s) noexcept
      : cells(CheckedInt(s.block) * s.channels), weights(0), products(0), packed(0), edge(0) {
    const Panels panels(p.columns);
    const CheckedInt widest = panels.widest();
    const CheckedInt matrices = s.matrices();
    cells = (cells + kLineFloats) * matrices;
    weights = (widest * p.channels + kLineFloats) * matrices * (s.blocks > 1 ? panels.count : 1);
    products = (widest * s.block + kLineFloats) * matrices;
    packed = (widest * p.channels + kLineFloats) * 9;
    edge = matrices * std::max(s.channels, panels.widest());
  }
};

}  // namespace

WinogradShape::WinogradShape(const WindowProduct& p, std::int64_t m) noexcept
    : outputs(m),
      down(ceil_div(p.rows.windows, m)),
      across(ceil_div(p.cols.windows, m)),
      tiles(p.n * down * across),
      channels(round_up(p.channels, micro_kernels::kernels().lanes)) {
  const std::int64_t floats = matrices() * channels;  // of a tile
  const std::int64_t whole = std::min(kBlockWindows, kWhole / floats);
  const std::int64_t most = tiles <= whole ? tiles : std::min(kBlockWindows, kBlock / floats);
  // Equal blocks of at least a few tiles.
  blocks = tiles == 0 ? 0 : ceil_div(tiles, std::max<std::int64_t>(most, 12));
  block = blocks == 0 ? 0 : ceil_div(tiles, blocks);
  blocks = block == 0 ? 0 : ceil_div(tiles, block);
}

std::int64_t winograd_workspace(const WindowProduct& product, std::int64_t outputs) noexcept {
  const Pieces pieces(product, WinogradShape(product, outputs));
  return WorkspaceSize()
      .add(pieces.cells)
      .add(pieces.weights)
      .add(pieces.products)
      .add(pieces.packed)
      .add(pieces.edge)
      .floats();
}

double winograd_cost(const WindowProduct& p, std::int64_t outputs) noexcept {
  const WinogradShape s(p, outputs);
  const auto matrices = static_cast<double>(s.matrices());
  const auto channels = static_cast<double>(p.channels);
  const auto columns = static_cast<double>(p.columns);
  const Panels panels(p.columns);
  const auto lanes = static_cast<double>(panels.lanes);
  const std::int64_t rows = micro_kernels::kernels().window_rows[1];
  const std::int64_t last = s.blocks == 0 ? 0 : s.tiles - (s.blocks - 1) * s.block;
  const auto row_tiles = static_cast<double>((s.blocks - 1) * ceil_div(s.block, rows) + ceil_div(last, rows));
  // Cycles, fitted to a Zen 3 core. Weights do not stay in the cache; the rest does.
  const double product =
      row_tiles * matrices *
      (0.6 * static_cast<double>(panels.vectors * rows) * channels + 60.0 * static_cast<double>(panels.count));
  const double cells = static_cast<double>(s.tiles) * (600.0 + (channels + columns) * 4.0 * matrices / lanes);
  const double weights = channels * columns * (1.6 * matrices + 8.0);
  return product + cells + weights;
}

WinogradRun::WinogradRun(const WindowProduct& product, std::int64_t outputs, float* workspace) noexcept
    : product_(product), shape_(product, outputs), panels_(product.columns) {
  const KernelSet& k = micro_kernels::kernels();
  kernels_ = outputs == 2 ? k.winograd_2x2 : k.winograd_4x4;
  const Pieces pieces(product, shape_);
  Workspace scratch(workspace);
  cells_ = scratch.take(pieces.cells.value());
  weights_ = scratch.take(pieces.weights.value());
  products_ = scratch.take(pieces.products.value());
  packed_ = scratch.take(pieces.packed.value());
  edge_ = scratch.take(pieces.edge.value());
}

std::int64_t WinogradRun::macs_per_step() const noexcept {
  return shape_.block * shape_.outputs * shape_.outputs * product_.depth() * panels_.widest();
}

void WinogradRun::step(std::int64_t t) noexcept {
  const std::int64_t block = t / panels_.count;
  const std::int64_t panel = t % panels_.count;
  if (panel == 0) begin_block(block);
  float* weights = weights_;
  if (shape_.blocks > 1) weights += panel * weights_floats(shape_, product_, panels_.widest());
  if (block == 0) transform_weights(panel, weights);
  multiply(panel, weights);
  write_outputs(panel);
}

WinogradRun::Tile WinogradRun::tile_at(std::int64_t tile) const noexcept {
  return {tile / shape_.across / shape_.down, tile / shape_.across % shape_.down * shape_.outputs,
          tile % shape_.across * shape_.outputs};
}

void WinogradRun::begin_block(std::int64_t block) noexcept {
  const WindowProduct& p = product_;
  const std::int64_t side = shape_.side();
  first_ = block * shape_.block;
  count_ = std::min(shape_.block, shape_.tiles - first_);
  micro_kernels::WinogradTransform transform{.to_col = spaced(count_ * shape_.channels),
                                             .count = static_cast<std::ptrdiff_t>(shape_.channels)};
  transform.to_row = transform.to_col * static_cast<std::ptrdiff_t>(side);
  for (std::int64_t t = 0; t < count_; ++t) {
    const Tile tile = tile_at(first_ + t);
    const std::int64_t row = p.rows.first + tile.i;
    const std::int64_t col = p.cols.first + tile.j;
    const Range rows = inside(side, 1, row, p.rows.size);
    const Range cols = inside(side, 1, col, p.cols.size);
    transform.to = cells_ + t * shape_.channels;
    if (rows.size() == side && cols.size() == side && p.channels == shape_.channels) {
      transform.from = p.image + ((tile.n * p.rows.size + row) * p.cols.size + col) * p.channels;
      transform.from_col = static_cast<std::ptrdiff_t>(p.channels);
      transform.from_row = static_cast<std::ptrdiff_t>(p.cols.size * p.channels);
    } else {
      zero_run(side * side * shape_.channels, edge_);
      for (std::int64_t r = rows.begin; r < rows.end; ++r) {
        for (std::int64_t c = cols.begin; c < cols.end; ++c) {
          copy_run(p.image + ((tile.n * p.rows.size + row + r) * p.cols.size + col + c) * p.channels, p.channels,
                   edge_ + (r * side + c) * shape_.channels);
        }
      }
      transform.from = edge_;
      transform.from_col = static_cast<std::ptrdiff_t>(shape_.channels);
      transform.from_row = static_cast<std::ptrdiff_t>(side * shape_.channels);
    }
    kernels_.cells(transform);
  }
}

void WinogradRun::transform_weights(std::int64_t panel, float* to) noexcept {
  const std::int64_t width = panels_.vectors_of(panel) * panels_.lanes;
  const std::ptrdiff_t tap = spaced(product_.channels * width);
  pack_panel(product_, 0, panels_.first_column(panel), width, packed_, tap);
  kernels_.weights({.from = packed_,
                    .from_row = 3 * tap,
                    .from_col = tap,
                    .to = to,
                    .to_row = static_cast<std::ptrdiff_t>(shape_.side()) * tap,
                    .to_col = tap,
                    .count = static_cast<std::ptrdiff_t>(product_.channels * width)});
}

void WinogradRun::multiply(std::int64_t panel, const float* weights) noexcept {
  const KernelSet& k = micro_kernels::kernels();
  const std::int64_t vectors = panels_.vectors_of(panel);
  const std::int64_t width = vectors * panels_.lanes;
  const std::int64_t rows = k.window_rows[vectors - 1];
  const float zeros[micro_kernels::kMaxTileVectors * 16] = {};
  // The rows of the first matrix; the others' lie a step further each.
  const float* windows[kBlockWindows];
  float* out[kBlockWindows];
  const std::int64_t whole = std::max(count_, rows);
  for (std::int64_t t = 0; t < whole; ++t) {
    const std::int64_t row = std::min(t, count_ - 1);
    windows[t] = cells_ + row * shape_.channels;
    out[t] = products_ + row * width;
  }
  micro_kernels::WindowTile tiles{
      .windows = windows,
      .out = out,
      .rows = static_cast<std::ptrdiff_t>(whole),
      .start = zeros,
      .columns = static_cast<std::ptrdiff_t>(width),
      .runs = {.rows = 1, .cols = 1, .length = static_cast<std::ptrdiff_t>(product_.channels)}};
  for (std::int64_t m = 0; m < shape_.matrices(); ++m) {
    tiles.b = weights + m * spaced(product_.channels * width);
    tiles.runs.first_a = static_cast<std::ptrdiff_t>(m) * spaced(count_ * shape_.channels);
    tiles.first_out = static_cast<std::ptrdiff_t>(m) * spaced(count_ * width);
    k.window_tile[vectors - 1](tiles);
  }
}

void WinogradRun::write_outputs(std::int64_t panel) noexcept {
  const WindowProduct& p = product_;
  const std::int64_t m = shape_.outputs;
  const std::int64_t width = panels_.vectors_of(panel) * panels_.lanes;
  const std::int64_t column = panels_.first_column(panel);
  const std::int64_t columns = std::min(width, p.columns - column);
  float start[micro_kernels::kMaxTileVectors * 16] = {};
  if (p.bias) std::copy_n(p.bias + column, columns, start);
  micro_kernels::WinogradTransform transform{
      .from_col = spaced(count_ * width), .count = static_cast<std::ptrdiff_t>(width), .start = start};
  transform.from_row = transform.from_col * static_cast<std::ptrdiff_t>(shape_.side());
  for (std::int64_t t = 0; t < count_; ++t) {
    const Tile tile = tile_at(first_ + t);
    const std::int64_t rows = std::min(m, p.rows.windows - tile.i);
    const std::int64_t cols = std::min(m, p.cols.windows - tile.j);
    float* out = p.out + tile.n * p.out_image + tile.i * p.out_row + tile.j * p.out_col + column;
    const bool whole = rows == m && cols == m && columns == width;
    transform.from = products_ + t * width;
    transform.to = whole ? out : edge_;
    transform.to_row = static_cast<std::ptrdiff_t>(whole ? p.out_row : m * width);
    transform.to_col = static_cast<std::ptrdiff_t>(whole ? p.out_col : width);
    kernels_.outputs_of(transform);
    if (whole) continue;
    for (std::int64_t r = 0; r < rows; ++r) {
      for (std::int64_t c = 0; c < cols; ++c) {
        copy_run(edge_ + (r * m + c) * width, columns, out + r * p.out_row + c * p.out_col);
      }
    }
  }
}

}  // namespace conv2d::gemm
