#include "transforms/layout_change.hpp"

#include <algorithm>

#include "dcheck/dcheck.hpp"
#include "transforms/transpose_4x4.hpp"

namespace conv2d {
namespace {

// Tiles of 64 x 16 floats: a cache line of each row of the source, and four adjacent ones of the destination, all of
// them in L1. They take 0.89 of the time that tiles of 16 x 16 take (mean of 11 matrices; Intel, AVX-512).
constexpr std::int64_t kTile = 16;
constexpr std::int64_t kRowTile = 4 * kTile;

/// A matrix in memory: `step` floats from one row to the next.
template <class Float>
struct Rows {
  Float* data;
  std::int64_t step;

  [[nodiscard]] Float* at(std::int64_t row, std::int64_t col) const noexcept { return data + row * step + col; }
};

/// out[col][row] = in[row][col], tile by tile, so that neither row-wise nor column-wise access leaves the cache. Not
/// inlined: it has four callers.
[[gnu::noinline]] void transpose(Rows<const float> in, std::int64_t rows, std::int64_t cols, Rows<float> out) noexcept {
  for (std::int64_t row_tile = 0; row_tile < rows; row_tile += kRowTile) {
    const std::int64_t row_end = std::min(rows, row_tile + kRowTile);
    const std::int64_t fours_end = row_end - (row_end - row_tile) % 4;
    for (std::int64_t col_tile = 0; col_tile < cols; col_tile += kTile) {
      const std::int64_t col_end = std::min(cols, col_tile + kTile);
      std::int64_t col = col_tile;
      for (; col + 4 <= col_end; col += 4) {
        for (std::int64_t row = row_tile; row < fours_end; row += 4) {
          const float* const lanes[]{in.at(row, 0), in.at(row + 1, 0), in.at(row + 2, 0), in.at(row + 3, 0)};
          transpose_4x4(lanes, col, out.at(col, row), out.step);
        }
      }
      const auto one_by_one = [&](std::int64_t first_row, std::int64_t first_col, std::int64_t last_col) {
        for (std::int64_t c = first_col; c < last_col; ++c) {
          for (std::int64_t row = first_row; row < row_end; ++row) *out.at(c, row) = *in.at(row, c);
        }
      };
      one_by_one(fours_end, col_tile, col);
      one_by_one(row_tile, col, col_end);
    }
  }
}

/// Calls copy(first float of the image, pixels) for the images and pixels of a part.
template <class Copy>
void for_each_image(Part part, std::int64_t n, std::int64_t image_floats, std::int64_t pixels, Copy copy) noexcept {
  const bool by_images = n >= part.count;
  const Range images = by_images ? part.of(n) : Range{0, n};
  const Range mine = by_images ? Range{0, pixels} : part.of(pixels, kTile);
  for (std::int64_t image = images.begin; image < images.end; ++image) copy(image * image_floats, mine);
}

/// With one tap, OIHW is the same order.
bool is_ohwi(const Geometry& g) noexcept {
  return g.weights_layout == WeightsLayout::ohwi || (g.weights_layout == WeightsLayout::oihw && g.kh * g.kw == 1);
}

/// OIHW has [k][c][tap] and HWIO [tap][c][k] (OHWI is HWIO transposed). Calls visit(offset in OIHW, offset in HWIO,
/// number of filters) for each channel of a tile of `filters`: a matrix of filters and taps.
template <class Visit>
void for_each_channel(const Geometry& g, Range filters, Visit visit) noexcept {
  CONV2D_DCHECK(g.weights_layout == WeightsLayout::oihw);
  const std::int64_t taps = g.kh * g.kw;
  // 3 x 3 x 512 x 512 weights take 0.7 of the time that 16 filters at a time take; with 64 they take 0.8.
  constexpr std::int64_t kFilters = 2 * kTile;
  for (std::int64_t k = filters.begin; k < filters.end; k += kFilters) {
    for (std::int64_t c = 0; c < g.group_c; ++c) {
      visit((k * g.group_c + c) * taps, c * g.k + k, std::min(kFilters, filters.end - k));
    }
  }
}

}  // namespace

void activation_nchw_to_nhwc(const float* nchw, std::int64_t n, std::int64_t c, std::int64_t pixels, float* nhwc,
                             Part part) noexcept {
  for_each_image(part, n, c * pixels, pixels, [&](std::int64_t image, Range mine) {
    transpose({nchw + image + mine.begin, pixels}, c, mine.size(), {nhwc + image + mine.begin * c, c});
  });
}

void activation_nhwc_to_nchw(const float* nhwc, std::int64_t n, std::int64_t c, std::int64_t pixels, float* nchw,
                             Part part) noexcept {
  for_each_image(part, n, c * pixels, pixels, [&](std::int64_t image, Range mine) {
    transpose({nhwc + image + mine.begin * c, c}, mine.size(), c, {nchw + image + mine.begin, pixels});
  });
}

void weights_to_hwio(const Geometry& g, const float* w, float* hwio, Part part) noexcept {
  CONV2D_DCHECK(w && hwio);
  const std::int64_t rows = g.kh * g.kw * g.group_c;
  const Range filters = part.of(g.k, kTile);
  if (is_ohwi(g)) {
    return transpose({w + filters.begin * rows, rows}, filters.size(), rows, {hwio + filters.begin, g.k});
  }
  for_each_channel(g, filters, [&](std::int64_t in_oihw, std::int64_t in_hwio, std::int64_t count) {
    transpose({w + in_oihw, rows}, count, g.kh * g.kw, {hwio + in_hwio, g.group_c * g.k});
  });
}

void weights_from_hwio(const Geometry& g, const float* hwio, float* w, Part part) noexcept {
  CONV2D_DCHECK(w && hwio);
  const std::int64_t rows = g.kh * g.kw * g.group_c;
  const Range filters = part.of(g.k, kTile);
  if (is_ohwi(g)) {
    return transpose({hwio + filters.begin, g.k}, rows, filters.size(), {w + filters.begin * rows, rows});
  }
  for_each_channel(g, filters, [&](std::int64_t in_oihw, std::int64_t in_hwio, std::int64_t count) {
    transpose({hwio + in_hwio, g.group_c * g.k}, g.kh * g.kw, count, {w + in_oihw, rows});
  });
}

}  // namespace conv2d
