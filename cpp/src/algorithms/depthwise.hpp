#pragma once

#include <cstdint>
#include <string>

#include "algorithms/entry.hpp"
#include "desc/windows.hpp"
#include "micro_kernels/kernel_set.hpp"
#include "micro_kernels/row_sums.hpp"

/// What the depthwise passes have in common: every filter reads one channel, so that a pixel's channels are one row of
/// products, not a matrix. Precondition of all but the first: NHWC.
namespace conv2d::algorithm {

/// Empty when every filter reads one channel only.
std::string why_not_depthwise(const Geometry& g);

/// Floats of one image with every channel repeated group_k times, so that channel and filter have the same number; 0
/// when that is the image itself. -1 when it overflows.
std::int64_t repeated_image_floats(const Geometry& g) noexcept;

/// Image n of x with its channels repeated in `memory`, or where it lies when there is nothing to repeat.
const float* repeat_channels(const Geometry& g, const float* x, std::int64_t n, float* memory) noexcept;

/// Pixels that are done as one row of products. A pixel of few channels would leave registers empty; where windows step
/// by 1, its right neighbours' channels follow in x, y and dx alike, so that several pixels make one wider row.
std::int64_t pixels_per_row(const Geometry& g) noexcept;

/// Floats of `rows` rows of k floats each, repeated for pixels_per_row pixels.
std::int64_t repeated_row_floats(const Geometry& g, std::int64_t rows) noexcept;

/// Writes every row of k floats pixels_per_row times in a row.
void repeat_rows(const Geometry& g, const float* from, std::int64_t rows, float* to) noexcept;

/// Whether rows of pixels can be done tap by tap with whole registers of channels, each filter reading its own one.
bool has_tap_rows(const Geometry& g) noexcept;

/// Calls run(kernels, p, q) for blocks of taps that cover rows x columns taps, each tap once.
template <class Run>
void for_each_tap_block(std::int64_t rows, std::int64_t columns, Run run) noexcept {
  const auto& sizes = micro_kernels::kernels().tap_kernels;
  for (std::int64_t q = 0; q < columns;) {
    const int wide = columns - q >= 3 ? 0 : 2;
    for (std::int64_t p = 0; p < rows;) {
      const micro_kernels::TapKernels& kernels = sizes[wide == 0 && rows - p < 3 ? 1 : wide];
      run(kernels, p, q);
      p += kernels.rows;
    }
    q += sizes[wide].columns;
  }
}

/// Sums of all column taps and the row taps of `rows` (not empty) for a row of pixels. `sum` has all but `start`; its
/// cells and w begin at tap (rows.begin, 0). Starts from `b`, or from zeros when it is null.
void sum_tap_rows(const Geometry& g, Range rows, micro_kernels::TapSum sum, const float* b) noexcept;

/// The outputs of a row whose column taps all lie in the image.
Range interior_columns(const Geometry& g) noexcept;

/// Covers the positions 0 .. count: calls wide(t) for pixels_per_row positions that begin at t and lie in `interior`,
/// and single(t) for one. The last wide step may do positions again that are done already.
template <class Single, class Wide>
void cover_positions(std::int64_t count, Range interior, std::int64_t pixels, Single single, Wide wide) noexcept {
  std::int64_t t = 0;
  if (pixels > 1 && interior.size() >= pixels) {
    for (; t < interior.begin; ++t) single(t);
    for (; t + pixels <= interior.end; t += pixels) wide(t);
    if (t < interior.end) wide(interior.end - pixels);
    t = interior.end;
  }
  for (; t < count; ++t) single(t);
}

/// Estimated cycles of all products of a pass.
double depthwise_cost(const Geometry& g) noexcept;

/// Collects pairs of rows and adds their products to `out` whenever there are enough of them.
class ProductRows {
 public:
  /// Sums to `columns` floats at `out`, which begin as `start` (null: zeros; `out`: as they are).
  ProductRows(std::int64_t columns, const float* start, float* out) noexcept
      : columns_(columns), start_(start), out_(out) {}

  void add(const float* a, const float* b) noexcept {
    if (count_ == kCapacity) flush();
    pairs_[count_++] = {a, b};
  }

  /// Writes what is left; must be called last, even when nothing was added.
  void flush() noexcept;

 private:
  static constexpr std::int64_t kCapacity = 64;

  std::int64_t columns_;
  const float* start_;
  float* out_;
  std::int64_t count_ = 0;
  micro_kernels::RowPair pairs_[kCapacity];
};

}  // namespace conv2d::algorithm
