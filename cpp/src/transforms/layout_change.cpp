#include "transforms/layout_change.hpp"

#include <algorithm>

#include "check/check.hpp"

namespace conv2d {
namespace {

// Tiles of 16 x 16 floats: a cache line of the source and one of the destination per row, all of them in L1.
constexpr std::int64_t kTile = 16;

/// Calls copy(row, col) for all elements of a rows x cols matrix, tile by tile, so that neither row-wise nor
/// column-wise access leaves the cache.
template <class Copy>
void for_each_tiled(std::int64_t rows, std::int64_t cols, Copy copy) noexcept {
  for (std::int64_t row_tile = 0; row_tile < rows; row_tile += kTile) {
    const std::int64_t row_end = std::min(rows, row_tile + kTile);
    for (std::int64_t col_tile = 0; col_tile < cols; col_tile += kTile) {
      const std::int64_t col_end = std::min(cols, col_tile + kTile);
      for (std::int64_t col = col_tile; col < col_end; ++col) {
        for (std::int64_t row = row_tile; row < row_end; ++row) copy(row, col);
      }
    }
  }
}

void transpose(const float* in, std::int64_t rows, std::int64_t cols, float* out) noexcept {
  CONV2D_DCHECK(rows >= 0 && cols >= 0 && (rows * cols == 0 || (in && out)));
  if (rows == 1 || cols == 1) {
    std::copy_n(in, rows * cols, out);
    return;
  }
  for_each_tiled(rows, cols, [=](std::int64_t row, std::int64_t col) { out[col * rows + row] = in[row * cols + col]; });
}

/// Calls copy(index in OIHW, index in HWIO) for all weights. (OHWI is HWIO transposed; OIHW also has its columns,
/// [c, tap], in another order than HWIO its rows, [tap, c].)
template <class Copy>
void for_each_oihw(const Geometry& g, Copy copy) noexcept {
  CONV2D_DCHECK(g.weights_layout == WeightsLayout::oihw);
  const std::int64_t taps = g.kh * g.kw;
  const std::int64_t columns = g.group_c * taps;
  for_each_tiled(g.k, columns, [&](std::int64_t k, std::int64_t column) {
    const std::int64_t c = column / taps;
    const std::int64_t tap = column % taps;
    copy(k * columns + column, (tap * g.group_c + c) * g.k + k);
  });
}

}  // namespace

void activation_nchw_to_nhwc(const float* nchw, std::int64_t n, std::int64_t c, std::int64_t pixels,
                             float* nhwc) noexcept {
  for (std::int64_t image = 0; image < n; ++image) {
    transpose(nchw + image * c * pixels, c, pixels, nhwc + image * c * pixels);
  }
}

void activation_nhwc_to_nchw(const float* nhwc, std::int64_t n, std::int64_t c, std::int64_t pixels,
                             float* nchw) noexcept {
  for (std::int64_t image = 0; image < n; ++image) {
    transpose(nhwc + image * c * pixels, pixels, c, nchw + image * c * pixels);
  }
}

void weights_to_hwio(const Geometry& g, const float* w, float* hwio) noexcept {
  CONV2D_DCHECK(w && hwio);
  if (g.weights_layout == WeightsLayout::ohwi) return transpose(w, g.k, g.kh * g.kw * g.group_c, hwio);
  for_each_oihw(g, [=](std::int64_t oihw_index, std::int64_t hwio_index) { hwio[hwio_index] = w[oihw_index]; });
}

void weights_from_hwio(const Geometry& g, const float* hwio, float* w) noexcept {
  CONV2D_DCHECK(w && hwio);
  if (g.weights_layout == WeightsLayout::ohwi) return transpose(hwio, g.kh * g.kw * g.group_c, g.k, w);
  for_each_oihw(g, [=](std::int64_t oihw_index, std::int64_t hwio_index) { w[oihw_index] = hwio[hwio_index]; });
}

}  // namespace conv2d
