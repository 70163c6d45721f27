#include "dcheck/dcheck.hpp"
#include "engines/windows/window_plan.hpp"
#include "transforms/lane_copy.hpp"

namespace conv2d::engine {
namespace {

constexpr std::int64_t kMaxWindows = kBlockWindows;

/// With a stride, most floats of a padded copy, 512 kB: it stays in L2.
constexpr std::int64_t kMostCopied = std::int64_t{1} << 17;

BlockShape unclipped(const StridedMatmul& p, InputAccess access, std::int64_t most_windows) noexcept {
  const std::int64_t rows = std::max<std::int64_t>(1, p.rows.windows);
  const std::int64_t cols = std::max<std::int64_t>(1, p.cols.windows);
  if (cols > most_windows) return {access, 1, 1, even_part(cols, most_windows)};
  if (rows > most_windows / cols) return {access, 1, even_part(rows, most_windows / cols), cols};
  return {access, even_part(p.n, most_windows / (rows * cols)), rows, cols};
}

/// A padded copy has all cells between the windows, too. With large strides its blocks have fewer windows.
BlockShape padded_shape(const StridedMatmul& p) noexcept {
  BlockShape shape = unclipped(p, InputAccess::padded, kMaxWindows);
  if (p.rows.step == 1 && p.cols.step == 1) return shape;
  for (std::int64_t most = kMaxWindows; most > 1; most /= 2) {
    shape = unclipped(p, InputAccess::padded, most);
    if (shape.padded_floats(p).value_or(kMostCopied + 1) <= kMostCopied) break;
  }
  return shape;
}

}  // namespace

double fraction_inside(const WindowAxis& axis) noexcept {
  constexpr std::int64_t kSamples = 64;  // windows that are counted, at most
  const std::int64_t step = std::max<std::int64_t>(1, axis.windows / kSamples);
  std::int64_t inside = 0, all = 0;
  for (std::int64_t t = 0; t < axis.windows; t += step) {
    inside += axis.taps_inside(t).size();
    all += axis.taps;
  }
  return all > 0 ? static_cast<double>(inside) / static_cast<double>(all) : 1.0;
}

BlockShape BlockShape::of(const StridedMatmul& p) noexcept {
  if (p.rows.all_inside() && p.cols.all_inside()) return unclipped(p, InputAccess::in_place, kMaxWindows);
  const BlockShape padded = padded_shape(p);
  // A batch that fills the tiles can leave out every tap in the padding (7 x 7 on 11 x 9 cells: a third of the taps). A
  // padding or dilation much larger than the image makes the padded copy too large.
  constexpr std::int64_t kFullTile = 6;
  constexpr double kClipBelow = 0.85;
  const CheckedInt floats = padded.padded_floats(p);
  const CheckedInt most_floats = CheckedInt(p.rows.size) * p.cols.size * padded.n * p.cell() * 8 + (1 << 18);
  const bool too_large = !floats.fits() || floats.value() > most_floats.value_or(0);
  if (too_large || (p.n >= kFullTile && fraction_inside(p.rows) * fraction_inside(p.cols) < kClipBelow)) {
    return {InputAccess::clipped, even_part(p.n, kMaxWindows), 1, 1};
  }
  return padded;
}

std::int64_t BlockShape::blocks(const StridedMatmul& p) const noexcept {
  return ceil_div(p.n, n) * ceil_div(p.rows.windows, i) * ceil_div(p.cols.windows, j);
}

double BlockShape::copied_cells(const StridedMatmul& p) const noexcept {
  const auto floats = static_cast<double>(padded_floats(p).value_or(0));
  return floats / static_cast<double>(n * i * j * std::max<std::int64_t>(1, p.cell()));
}

CheckedInt BlockShape::padded_floats(const StridedMatmul& p) const noexcept {
  return access == InputAccess::padded ? reach(p.rows, i) * reach(p.cols, j) * n * p.cell() : CheckedInt(0);
}

WindowBlock BlockShape::at(const StridedMatmul& p, std::int64_t block) const noexcept {
  CONV2D_DCHECK(block >= 0 && block < blocks(p));
  const auto range_of = [](std::int64_t index, std::int64_t size, std::int64_t whole) {
    return Range{index * size, std::min((index + 1) * size, whole)};
  };
  const std::int64_t across = ceil_div(p.cols.windows, j);
  const std::int64_t down = ceil_div(p.rows.windows, i);
  return {range_of(block / across / down, n, p.n), range_of(block / across % down, i, p.rows.windows),
          range_of(block % across, j, p.cols.windows)};
}

void copy_padded(const StridedMatmul& p, const WindowBlock& block, const float* image, float* to) noexcept {
  CONV2D_DCHECK(image && to && block.count() > 0);
  const std::int64_t cell = p.cell();
  const std::int64_t rows = reach(p.rows, block.i.size()).value();
  const std::int64_t cols = reach(p.cols, block.j.size()).value();
  const std::int64_t left = p.cols.first + block.j.begin * p.cols.step;
  const Range valid = inside(cols, 1, left, p.cols.size);
  for (std::int64_t n = block.n.begin; n < block.n.end; ++n) {
    for (std::int64_t r = 0; r < rows; ++r) {
      const std::int64_t row = p.rows.first + block.i.begin * p.rows.step + r;
      if (row < 0 || row >= p.rows.size || valid.size() == 0) {
        to = zero_floats(cols * cell, to);
        continue;
      }
      const float* from = image + p.image_offset + ((n * p.rows.size + row) * p.cols.size + left + valid.begin) * cell;
      to = zero_floats(valid.begin * cell, to);
      to = copy_floats(from, valid.size() * cell, to);
      to = zero_floats((cols - valid.end) * cell, to);
    }
  }
}

WindowCover::WindowCover(const micro_kernels::KernelSet& kernels, std::ptrdiff_t rows, std::ptrdiff_t vectors) noexcept
    : main_rows(kernels.window_rows[vectors - 1]), rest_rows(kernels.rest_rows[vectors - 1]) {
  main_tiles = offset(ceil_div(rows, main_rows));
  // A second kernel call pays only when it saves more than a fiftieth of the rows.
  if (rest_rows == 0 || done() - rows <= rows / 50) return;
  for (int more = 1; more <= 2; ++more) {
    WindowCover cover = *this;
    cover.main_tiles = offset(ceil_div(rows - more * rest_rows, main_rows));
    cover.rest_tiles = more;
    if (cover.done() < done()) *this = cover;
  }
}

void multiply_windows(const micro_kernels::KernelSet& kernels, micro_kernels::WindowTile tiles, std::ptrdiff_t rows,
                      std::ptrdiff_t vectors) noexcept {
  CONV2D_DCHECK(rows >= 1 && vectors >= 1 && vectors <= micro_kernels::kMaxPanelVectors);
  if (vectors == micro_kernels::kTile2x4Vectors) {
    tiles.rows = std::max<std::ptrdiff_t>(rows, micro_kernels::kTile2x4Rows);
    return kernels.window_tile_2x4(tiles);
  }
  const WindowCover cover(kernels, rows, vectors);
  const std::ptrdiff_t main_rows = cover.rest_tiles > 0 ? cover.main_tiles * cover.main_rows : rows;
  tiles.rows = std::max(main_rows, cover.main_rows);
  if (main_rows > 0) kernels.window_tile[vectors - 1](tiles);
  if (cover.rest_tiles == 0) return;
  // The remaining rows; when they do not fill a tile, it also repeats some rows above them.
  const std::ptrdiff_t first = std::max<std::ptrdiff_t>(0, std::min(main_rows, rows - cover.rest_rows));
  tiles.windows += first;
  tiles.out += first;
  tiles.start += first * tiles.start_row;
  tiles.rows = std::max(rows - first, cover.rest_rows);
  kernels.rest_tile[vectors - 1](tiles);
}

}  // namespace conv2d::engine
