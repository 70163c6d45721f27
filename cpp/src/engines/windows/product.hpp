#pragma once

#include <cstdint>

#include "desc/windows.hpp"
#include "micro_kernels/kernel_set.hpp"

/// A convolution as one matrix product. Its left operand is never written: the rows are windows, read in place in the
/// image. The forward pass is one such product; backward_data is one per phase of the stride. Sizes count elements and
/// may be 0. Precondition: NHWC.
namespace conv2d::engine {

/// The windows along one axis: window t begins at cell `first` + t * `step`, which may be outside the image's `size`
/// cells, and its taps are `dilation` cells apart.
struct WindowAxis {
  std::int64_t windows = 0;
  std::int64_t first = 0, step = 1;
  std::int64_t taps = 0, dilation = 1;
  std::int64_t size = 0;

  /// The taps of window t that are inside the image.
  [[nodiscard]] constexpr Range taps_inside(std::int64_t t) const noexcept {
    return inside(taps, dilation, first + t * step, size);
  }
  [[nodiscard]] constexpr bool all_inside() const noexcept {
    return windows == 0 || taps == 0 || (first >= 0 && first + (windows - 1) * step + (taps - 1) * dilation < size);
  }
};

/// The steps of the weights: the weight of tap (p, q), channel c and column j of group m is at first + p * row + q *
/// col + c * channel + j * column + m * group. Steps may be negative: flipped weights.
struct WeightSteps {
  std::int64_t first = 0;
  std::int64_t row = 0, col = 0, channel = 0, column = 0, group = 0;
};

/// Sizes and offsets only; WindowTensors has the memory. Both axes have taps, or neither has.
struct WindowProduct {
  const micro_kernels::KernelSet* kernels = nullptr;  ///< of the run
  std::int64_t n = 0;                                 ///< images
  WindowAxis rows, cols;
  std::int64_t groups = 1;
  std::int64_t channels = 0;      ///< of the image, per group
  std::int64_t out_channels = 0;  ///< per group
  std::int64_t image_offset = 0;  ///< of the first float that is read
  WeightSteps weights;
  std::int64_t packed_offset = 0;  ///< of the first packed weight
  std::int64_t bias_offset = 0;    ///< of the first of groups * out_channels
  std::int64_t out_offset =
      0;  ///< channels of the output (n, i, j) at out_offset + n * out_image + i * out_row + j * out_col
  std::int64_t out_image = 0, out_row = 0, out_col = 0;

  [[nodiscard]] constexpr std::int64_t taps() const noexcept { return rows.taps * cols.taps; }
  [[nodiscard]] constexpr std::int64_t reduction() const noexcept { return taps() * channels; }
  [[nodiscard]] constexpr std::int64_t cell() const noexcept { return groups * channels; }
};

/// The memory that the offsets of products refer to.
struct WindowTensors {
  const float* image = nullptr;
  const float* weights = nullptr;
  const float* packed = nullptr;  ///< all weights, packed by pack_weights(); null: packed during the run
  const float* bias = nullptr;    ///< null: zeros
  float* out = nullptr;
};

}  // namespace conv2d::engine
