#pragma once

#include <cstdint>
#include <memory>

#include "desc/windows.hpp"
#include "micro_kernels/kernel_set.hpp"

/// A convolution as one matrix product whose left operand is never made: its rows are windows, read where they lie in
/// the image. The forward pass is one of these, and backward_data one for each phase of the stride. Sizes count
/// elements and may be 0. Precondition: NHWC.
namespace conv2d::engine {

/// The windows along one axis: window t begins at cell `first` + t * `step`, which may lie outside of the image's
/// `size` cells, and its taps are `dilation` cells apart.
struct WindowAxis {
  std::int64_t windows = 0;
  std::int64_t first = 0, step = 1;
  std::int64_t taps = 0, dilation = 1;
  std::int64_t size = 0;

  /// The taps of window t that lie in the image.
  [[nodiscard]] constexpr Range taps_inside(std::int64_t t) const noexcept {
    return inside(taps, dilation, first + t * step, size);
  }
  [[nodiscard]] constexpr bool all_inside() const noexcept {
    return windows == 0 || taps == 0 || (first >= 0 && first + (windows - 1) * step + (taps - 1) * dilation < size);
  }
};

/// Where the weight of tap (p, q), channel c and column j of group m lies:
/// first + p * row + q * col + c * channel + j * column + m * group. Steps may be negative: turned weights.
struct WeightSteps {
  std::int64_t first = 0;
  std::int64_t row = 0, col = 0, channel = 0, column = 0, group = 0;
};

/// Only sizes and places; the memory comes with WindowTensors. Both axes have taps, or neither.
struct WindowProduct {
  const micro_kernels::KernelSet* kernels = nullptr;  ///< that multiply
  std::int64_t n = 0;                                 ///< images
  WindowAxis rows, cols;
  std::int64_t groups = 1;
  std::int64_t channels = 0;  ///< of the image, per group
  std::int64_t columns = 0;   ///< of the output, per group
  std::int64_t image = 0;     ///< first float that is read
  WeightSteps weights;
  std::int64_t packed = 0;  ///< first of the packed weights
  std::int64_t bias = 0;    ///< first of groups * columns
  std::int64_t out = 0;     ///< columns of the window (n, i, j) at out + n * out_image + i * out_row + j * out_col
  std::int64_t out_image = 0, out_row = 0, out_col = 0;

  [[nodiscard]] constexpr std::int64_t taps() const noexcept { return rows.taps * cols.taps; }
  [[nodiscard]] constexpr std::int64_t depth() const noexcept { return taps() * channels; }
  [[nodiscard]] constexpr std::int64_t cell() const noexcept { return groups * channels; }
};

/// Products that are one pass together: each makes its own part of the output, and has its own part of the weights.
struct WindowProducts {
  std::unique_ptr<WindowProduct[]> products;
  std::int64_t count = 0;
};

/// The memory that the places of products count in.
struct WindowTensors {
  const float* image = nullptr;
  const float* weights = nullptr;
  const float* packed = nullptr;  ///< all weights, as pack_weights() makes them; null: packed when they are needed
  const float* bias = nullptr;    ///< null: zeros
  float* out = nullptr;
};

}  // namespace conv2d::engine
