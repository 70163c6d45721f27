#pragma once

#include <array>
#include <cstdint>
#include <initializer_list>

#include "algorithms/loops.hpp"

namespace conv2d::algorithm {

/// One index of a contraction: how far it runs, and how far one step of it moves in each tensor. A stride of 0 means
/// that the tensor does not have this index.
struct ContractionAxis {
  std::int64_t extent = 1;
  std::int64_t a = 0;
  std::int64_t b = 0;
  std::int64_t out = 0;
};

/// The memory stride of an axis that moves `cells` cells per step. An axis of one element never moves, and its `cells`
/// (a stride larger than the image, say) may be too large to multiply.
constexpr std::int64_t stride_of(std::int64_t extent, std::int64_t cells, std::int64_t cell_stride) noexcept {
  return extent > 1 ? cells * cell_stride : 0;
}

/// out[...] += sum of a[...] * b[...] over the indices that `out` does not have (an "einsum"), on strided memory.
/// The order of the loops follows from the strides of `out`, so the same description is fast in either layout.
class Contraction {
 public:
  /// At most 8 axes.
  Contraction(std::initializer_list<ContractionAxis> axes) noexcept;

  /// False when the hook behind `progress` asked to stop.
  [[nodiscard]] bool run(const float* a, const float* b, float* out, Progress& progress) const noexcept {
    return empty_ || run_axis(0, a, b, out, progress);
  }

 private:
  bool run_axis(int level, const float* a, const float* b, float* out, Progress& progress) const noexcept;

  std::array<ContractionAxis, 8> axes_{};  ///< outermost first
  int count_ = 0;
  bool empty_ = false;
};

}  // namespace conv2d::algorithm
