#pragma once

#include <algorithm>
#include <cstdint>

#include "base/checked.hpp"
#include "base/part.hpp"
#include "desc/windows.hpp"
#include "engines/prepared.hpp"
#include "micro_kernels/kernel_set.hpp"

/// What the depthwise passes have in common: every filter reads one channel, so that a pixel's channels are one row of
/// products, not a matrix. Precondition of everything here: NHWC.
namespace conv2d::engine {

/// How the pixels of a line are done; with neither of the two, one by one.
struct PixelRows {
  const KernelSet* kernels = nullptr;  ///< that multiply
  /// Pixels that are done as one row of products. A pixel of few channels would leave registers empty; where windows
  /// step by 1, its right neighbours' channels follow in x, y and dx alike, so that several pixels make one wider row.
  std::int64_t pixels = 1;
  /// Whether a line is done tile by tile of its taps with whole registers of channels, each filter reading its own
  /// channel.
  bool tap_tiles = false;

  [[nodiscard]] static PixelRows of(const Geometry& g, const KernelSet& kernels) noexcept;
  /// `interior`, where as many positions are worth more than one by one; else nothing.
  [[nodiscard]] constexpr Range worth_it(Range interior) const noexcept {
    return (tap_tiles || pixels > 1) && interior.size() >= pixels ? interior : Range{};
  }
  /// Floats of `rows` rows of k floats each, repeated for `pixels` pixels.
  [[nodiscard]] CheckedInt repeated_floats(const Geometry& g, std::int64_t rows) const noexcept;
  /// Writes every row of k floats `pixels` times in a row.
  void repeat(const Geometry& g, const float* from, std::int64_t rows, float* to) const noexcept;
  /// Estimated cycles of the products of `lines` lines of outputs, and of repeating the channels of `images` images.
  [[nodiscard]] double cost(const Geometry& g, std::int64_t lines, std::int64_t images) const noexcept;
};

/// Floats of one image with every channel repeated group_k times, so that channel and filter have the same number; 0
/// when that is the image itself.
CheckedInt repeated_image_floats(const Geometry& g) noexcept;

/// Image n of x with its channels repeated in `memory`, or where it lies when there is nothing to repeat.
const float* repeat_channels(const Geometry& g, const float* x, std::int64_t n, float* memory) noexcept;

/// Parts, at most `most`, each with one of `units` units at least. An image without lines is still one.
constexpr int parts_of(std::int64_t units, int most) noexcept {
  return kThreads ? static_cast<int>(std::clamp<std::int64_t>(units, 1, most)) : 1;
}
/// The fraction of `units` units that the largest of `parts` parts has.
double largest_part(std::int64_t units, int parts) noexcept;

/// The outputs of a line whose column taps all lie in the image.
Range interior_columns(const Geometry& g) noexcept;

/// Covers the positions 0 .. count: calls single(t) for each outside of `interior`, and middle() once for those inside.
template <class Single, class Middle>
void cover_line(std::int64_t count, Range interior, Single single, Middle middle) noexcept {
  for (std::int64_t t = 0; t < interior.begin; ++t) single(t);
  if (interior.size() > 0) middle();
  for (std::int64_t t = interior.end; t < count; ++t) single(t);
}

/// Covers `interior`, of `pixels` positions at least: calls wide(t) for `pixels` positions from t on. The last call may
/// do positions again that are done already.
template <class Wide>
void cover_interior(Range interior, std::int64_t pixels, Wide wide) noexcept {
  std::int64_t t = interior.begin;
  for (; t + pixels <= interior.end; t += pixels) wide(t);
  if (t < interior.end) wide(interior.end - pixels);
}

/// Calls run(kernels, p, q) for tiles of taps that cover rows x columns taps, each tap once.
template <class Run>
void for_each_tap_tile(const KernelSet& kernels, std::int64_t rows, std::int64_t columns, Run run) noexcept {
  const auto& sizes = kernels.tap_kernels;
  for (std::int64_t q = 0; q < columns;) {
    const int wide = columns - q >= 3 ? 0 : 2;
    for (std::int64_t p = 0; p < rows;) {
      const micro_kernels::TapKernels& tile = sizes[wide == 0 && rows - p < 3 ? 1 : wide];
      run(tile, p, q);
      p += tile.rows;
    }
    q += sizes[wide].columns;
  }
}

/// Sums of rows x columns taps (rows >= 1) for a line's pixels. `sum` has all but `start`; its cells and w begin at the
/// first of these taps. Starts from `b`, or from zeros when it is null.
void sum_taps(const KernelSet& kernels, std::int64_t rows, std::int64_t columns, micro_kernels::TapSum sum,
              const float* b) noexcept;

/// Collects pairs of rows and adds their products to `out` whenever there are enough of them.
class ProductRows {
 public:
  /// Sums to `columns` floats at `out`, which begin as `start` (null: zeros; `out`: as they are).
  // NOLINTNEXTLINE(cppcoreguidelines-pro-type-member-init): pairs are written before they are read
  ProductRows(const KernelSet& kernels, std::int64_t columns, const float* start, float* out) noexcept
      : product_sum_(kernels.product_sum), columns_(columns), start_(start), out_(out) {}

  void add(const float* a, const float* b) noexcept {
    if (count_ == kCapacity) flush();
    pairs_[count_++] = {a, b};
  }

  /// Writes what is left; must be called last, even when nothing was added.
  void flush() noexcept;

 private:
  static constexpr std::int64_t kCapacity = 64;

  micro_kernels::ProductSumFunction product_sum_;
  std::int64_t columns_;
  const float* start_;
  float* out_;
  std::int64_t count_ = 0;
  micro_kernels::RowPair pairs_[kCapacity];
};

}  // namespace conv2d::engine
