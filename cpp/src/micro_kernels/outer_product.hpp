#pragma once

#include <cstdint>

/// The micro-kernel of backward_weights: a block of dw, held in registers, to which every pixel adds the outer product
/// of a few floats of one tensor with a few of the other. Both are read where they lie, strided or packed.
namespace conv2d::micro_kernels {

/// How far both operands move from one step to the next, in floats.
struct Walk {
  std::int64_t count = 0;  ///< >= 0
  std::int64_t a_step = 0;
  std::int64_t b_step = 0;
};

/// c[r][j] (+)= sum over images, lines and pixels of a[r] * b[j], a and b moving along by the steps of the three walks.
struct OuterProduct {
  const float* a = nullptr;  ///< rows floats at every pixel
  const float* b = nullptr;  ///< vectors * lanes floats at every pixel
  float* c = nullptr;        ///< rows x (vectors * lanes)
  Walk images, lines, pixels;
  std::int64_t row_stride = 0;  ///< of c, in floats
  bool accumulate = false;      ///< false: c is written and never read
};

using OuterProductFunction = void (*)(const OuterProduct&) noexcept;

/// Registers across a tile of `rows` rows: two, or `wide` as many as keep eight sums going, which is what hides the
/// latency of two multiply-adds per cycle. One register would not be faster than two.
constexpr int outer_vectors(int rows, bool wide) noexcept { return wide && rows < 4 ? 8 / rows : 2; }

}  // namespace conv2d::micro_kernels
