#pragma once

#include <cstdint>
#include <string>

#include "algorithms/entry.hpp"
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
