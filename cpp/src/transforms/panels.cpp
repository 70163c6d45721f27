#include "transforms/panels.hpp"

#include <algorithm>
#include <cstring>

#include "check/check.hpp"
#include "transforms/lane_copy.hpp"

namespace conv2d {
namespace {

/// Four floats. The compiler has an instruction for each of the shuffles below on every target.
using Four [[gnu::vector_size(16)]] = float;

Four load(const float* from) noexcept {
  Four four;
  std::memcpy(&four, from, sizeof(four));
  return four;
}

/// to[r * to_step + i] = lane[i][d + r] for i, r < 4.
void transpose_4x4(const float* const* lane, std::int64_t d, float* to, std::int64_t to_step) noexcept {
  const Four a = load(lane[0] + d), b = load(lane[1] + d), c = load(lane[2] + d), e = load(lane[3] + d);
  const Four ab_low = __builtin_shufflevector(a, b, 0, 4, 1, 5), ab_high = __builtin_shufflevector(a, b, 2, 6, 3, 7);
  const Four ce_low = __builtin_shufflevector(c, e, 0, 4, 1, 5), ce_high = __builtin_shufflevector(c, e, 2, 6, 3, 7);
  const Four rows[]{
      __builtin_shufflevector(ab_low, ce_low, 0, 1, 4, 5), __builtin_shufflevector(ab_low, ce_low, 2, 3, 6, 7),
      __builtin_shufflevector(ab_high, ce_high, 0, 1, 4, 5), __builtin_shufflevector(ab_high, ce_high, 2, 3, 6, 7)};
  for (int r = 0; r < 4; ++r) std::memcpy(to + r * to_step, &rows[r], sizeof(Four));
}

/// With a constant width, the compiler unrolls the loops and keeps the pointers of up to 12 lanes in registers.
template <std::int64_t kWidth>
void interleave_fixed(const float* const* lanes, std::int64_t k, float* panel) noexcept {
  const float* lane[kWidth];
  for (std::int64_t i = 0; i < kWidth; ++i) lane[i] = lanes[i];
  std::int64_t d = 0;
  if constexpr (kWidth % 4 == 0) {
    for (; d + 4 <= k; d += 4) {
      for (std::int64_t i = 0; i < kWidth; i += 4) transpose_4x4(lane + i, d, panel + d * kWidth + i, kWidth);
    }
  }
  for (; d < k; ++d) {
    for (std::int64_t i = 0; i < kWidth; ++i) panel[d * kWidth + i] = lane[i][d];
  }
}

}  // namespace

void pack_row_lanes(const float* matrix, std::int64_t row_stride, const PanelRange& range, float* panel) noexcept {
  CONV2D_DCHECK(range.valid >= 1 && range.valid <= range.width && range.width <= kMaxPanelWidth && range.k >= 0);
  CONV2D_DCHECK((matrix && panel) || range.k == 0);
  if (range.valid == range.width) {
    const float* lanes[kMaxPanelWidth];
    for (std::int64_t i = 0; i < range.width; ++i) lanes[i] = matrix + i * row_stride;
    interleave(lanes, range.width, range.k, panel);
    return;
  }
  for (std::int64_t d = 0; d < range.k; ++d) {
    float* row = panel + d * range.width;
    for (std::int64_t i = 0; i < range.valid; ++i) row[i] = matrix[i * row_stride + d];
    std::fill(row + range.valid, row + range.width, 0.0F);
  }
}

void pack_column_lanes(const float* matrix, std::int64_t row_stride, const PanelRange& range, float* panel) noexcept {
  CONV2D_DCHECK(range.valid >= 1 && range.valid <= range.width && range.k >= 0);
  CONV2D_DCHECK((matrix && panel) || range.k == 0);
  copy_lanes(range.valid, range.k, matrix, row_stride, panel, range.width);
  zero_lanes(range.width - range.valid, range.k, panel + range.valid, range.width);
}

void interleave(const float* const* lanes, std::int64_t width, std::int64_t k, float* panel) noexcept {
  CONV2D_DCHECK(width >= 0 && k >= 0);
  switch (width) {
    case 4:
      return interleave_fixed<4>(lanes, k, panel);
    case 6:
      return interleave_fixed<6>(lanes, k, panel);
    case 8:
      return interleave_fixed<8>(lanes, k, panel);
    case 12:
      return interleave_fixed<12>(lanes, k, panel);
    case 16:
      return interleave_fixed<16>(lanes, k, panel);
    case 32:
      return interleave_fixed<32>(lanes, k, panel);
    default:
      break;
  }
  for (std::int64_t i = 0; i < width; ++i) {
    for (std::int64_t d = 0; d < k; ++d) panel[d * width + i] = lanes[i][d];
  }
}

}  // namespace conv2d
