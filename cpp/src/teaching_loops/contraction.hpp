#pragma once

#include <array>
#include <cstddef>
#include <initializer_list>

#include "teaching_loops/teaching_loops.hpp"

namespace conv2d::teaching_loops {

/// One index of a contraction: its extent, and its step in each tensor. A stride of 0 means that the tensor does not
/// have this index.
struct ContractionAxis {
  std::int64_t extent = 1;
  std::int64_t a = 0, b = 0, out = 0;
};

/// out[...] += sum of a[...] * b[...] over the indices that `out` does not have (an "einsum"), on strided memory.
/// The order of the loops follows from the strides of `out`, so the same description is fast in either layout.
class Contraction {
 public:
  /// At most 8 axes.
  Contraction(std::initializer_list<ContractionAxis> axes) noexcept;

  /// Estimated cycles of one multiply-add of the innermost loop, including the start of the loop.
  [[nodiscard]] double cycles_per_mac(const cost::Loops& c) const noexcept;

  /// False when the hook of `progress` cancels the run.
  [[nodiscard]] bool run(const float* a, const float* b, float* out, Progress& progress) const noexcept {
    return empty_ || run_axis(0, a, b, out, progress);
  }

 private:
  bool run_axis(std::size_t level, const float* a, const float* b, float* out, Progress& progress) const noexcept;

  std::array<ContractionAxis, 8> axes_{};  ///< outermost first, at least two
  std::size_t count_ = 0;
  bool empty_ = false;
};

}  // namespace conv2d::teaching_loops
