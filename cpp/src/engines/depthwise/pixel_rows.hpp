#pragma once

#include <algorithm>
#include <cstdint>

#include "base/checked.hpp"
#include "base/range.hpp"
#include "desc/windows.hpp"
#include "engines/engines.hpp"
#include "engines/windows/strided_matmul.hpp"
#include "micro_kernels/kernel_set.hpp"

/// Common code of the depthwise passes. Every filter reads one channel, so the channels of a pixel are one row of
/// products and not a matrix. Precondition of everything here: NHWC.
namespace conv2d::engine {

/// How the pixels of a line that all taps meet are computed. Those at its edges are computed one by one.
enum class LineMethod {
  single_pixels,
  /// Several pixels as one row of products. A pixel of few channels leaves registers empty. Where windows step by 1,
  /// the channels of the neighbors on the right follow in x, y and dx alike.
  wide_rows,
  tap_tiles,  ///< by tiles of the taps: whole registers of channels, and each filter reads its own channel
};

struct PixelRows {
  const KernelSet* kernels = nullptr;  ///< of the run
  LineMethod method = LineMethod::single_pixels;
  std::int64_t pixels = 1;  ///< of a wide row

  [[nodiscard]] static PixelRows of(const Geometry& g, const KernelSet& kernels) noexcept;
  /// `interior` when it is large enough for the method, else an empty range.
  [[nodiscard]] constexpr Range usable_interior(Range interior) const noexcept {
    return method != LineMethod::single_pixels && interior.size() >= pixels ? interior : Range{};
  }
  /// Floats of `rows` rows of k floats each, repeated for `pixels` pixels.
  [[nodiscard]] CheckedInt repeated_floats(const Geometry& g, std::int64_t rows) const noexcept;
  /// Writes every row of k floats `pixels` times, one after the other.
  void repeat(const Geometry& g, const float* from, std::int64_t rows, float* to) const noexcept;
  /// Estimated cycles of the products of `lines` lines of outputs and of repeating the channels of `images` images.
  [[nodiscard]] double cost(const Geometry& g, std::int64_t lines, std::int64_t images) const noexcept;
};

/// Floats of one image with every channel repeated group_k times, so that channel and filter have the same index; 0
/// when that is the image itself.
CheckedInt repeated_image_floats(const Geometry& g) noexcept;

/// Image n of x with its channels repeated in `memory`, or in place when nothing is repeated.
const float* repeat_channels(const Geometry& g, const float* x, std::int64_t n, float* memory) noexcept;

/// The outputs of a line with all column taps inside the image.
Range interior_columns(const Geometry& g) noexcept;

/// `interior`, of `count` positions of a line, with the position on each side of it for which only one column of taps
/// has no cells, where kernels take those. Position t reads the middle column at cell first + t * step of `size`.
Range with_neighbors(const Geometry& g, const KernelSet& kernels, Range interior, std::int64_t count,
                     std::int64_t first, std::int64_t step, std::int64_t size) noexcept;

/// Calls single(t) for the positions 0 .. count outside `interior`.
template <class Single>
void for_each_outside(std::int64_t count, Range interior, Single single) noexcept {
  for (std::int64_t t = 0; t < interior.begin; ++t) single(t);
  for (std::int64_t t = interior.end; t < count; ++t) single(t);
}

/// Covers `interior`, which has at least `pixels` positions: calls wide(t) for `pixels` positions from t. The last call
/// may compute some positions again.
template <class Wide>
void for_each_wide_row(Range interior, std::int64_t pixels, Wide wide) noexcept {
  std::int64_t t = interior.begin;
  for (; t + pixels <= interior.end; t += pixels) wide(t);
  if (t < interior.end) wide(interior.end - pixels);
}

/// Calls run(kernels, p, q) for tiles that cover rows x columns taps, each tap once.
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

/// Pixels of a line that tiles of taps compute at a time: their cells stay in L1 from the first register of channels to
/// the last, and from a line to the next. The whole line where kernels read memory in order.
std::int64_t piece_of_line(const Geometry& g, const KernelSet& kernels) noexcept;

/// Lines that tiles of taps compute at a time where kernels read in order. They take four at once; more would not stay
/// in L2 where lines are long.
inline constexpr std::int64_t kLinesInOrder = 8;

/// Calls visit(line, count, pixels) for all `lines` of a piece of `interior`, then for the next piece: for `count`
/// lines at a time, of one image of `per_image` lines and with the same row_taps(line of the image). Only kernels that
/// read in order take more than one.
template <class RowTaps, class Visit>
void for_each_piece(Range lines, std::int64_t per_image, Range interior, std::int64_t piece,
                    [[maybe_unused]] const KernelSet& kernels, RowTaps row_taps, Visit visit) noexcept {
  for (std::int64_t begin = interior.begin; begin < interior.end; begin += piece) {
    const Range pixels{begin, std::min(begin + piece, interior.end)};
    std::int64_t count = 1;
    for (std::int64_t t = lines.begin; t < lines.end; t += count) {
      if constexpr (micro_kernels::kSomeReadInOrder) {
        const std::int64_t i = t % per_image;
        const std::int64_t most =
            kernels.reads_in_order() ? std::min({kLinesInOrder, lines.end - t, per_image - i}) : 1;
        const Range taps = row_taps(i);
        for (count = 1; count < most; ++count) {
          if (const Range next = row_taps(i + count); next.begin != taps.begin || next.end != taps.end) break;
        }
      }
      visit(t, count, pixels);
    }
  }
}

/// Sums rows x columns taps (rows >= 1) for the pixels of a line. `sum` has all but `start`; its cells and w begin at
/// the first of these taps. The sums start from `b`, or from zeros when it is null.
void sum_taps(const KernelSet& kernels, std::int64_t rows, std::int64_t columns, micro_kernels::TapSum sum,
              const float* b) noexcept;

/// Collects pairs of rows and adds their products to `out` whenever the buffer is full.
class ProductRows {
 public:
  /// Sums into `columns` floats at `out`, starting from `start` (null: zeros; may be `out`).
  // NOLINTNEXTLINE(cppcoreguidelines-pro-type-member-init): pairs are written before they are read
  ProductRows(const KernelSet& kernels, std::int64_t columns, const float* start, float* out) noexcept
      : product_sum_(kernels.product_sum), columns_(columns), start_(start), out_(out) {}

  void add(const float* a, const float* b) noexcept {
    if (count_ == kCapacity) flush();
    pairs_[count_++] = {a, b};
  }

  /// Adds the remaining pairs. Must be called last, even when nothing was added.
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

/// Whether the pass `product` uses channel blocks; for dw, the forward pass.
bool prefers_channel_blocks(const StridedMatmul& product) noexcept;

/// Prepares it; `cost` is that of the whole pass.
ExecutablePointer prepare_channel_blocks(const StridedMatmul& product, Pass pass, int threads, double cost);

}  // namespace conv2d::engine
