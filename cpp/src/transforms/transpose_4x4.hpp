#pragma once

#include <cstdint>
#include <cstring>

namespace conv2d {

/// Four floats. The compiler has an instruction for each of the shuffles below on every target.
using Four [[gnu::vector_size(16)]] = float;

inline Four load_four(const float* from) noexcept {
  Four four;
  std::memcpy(&four, from, sizeof(four));
  return four;
}

/// to[r * to_step + i] = lane[i][d + r] for i, r < 4.
inline void transpose_4x4(const float* const* lane, std::int64_t d, float* to, std::int64_t to_step) noexcept {
  const Four a = load_four(lane[0] + d), b = load_four(lane[1] + d), c = load_four(lane[2] + d),
             e = load_four(lane[3] + d);
  const Four ab_low = __builtin_shufflevector(a, b, 0, 4, 1, 5), ab_high = __builtin_shufflevector(a, b, 2, 6, 3, 7);
  const Four ce_low = __builtin_shufflevector(c, e, 0, 4, 1, 5), ce_high = __builtin_shufflevector(c, e, 2, 6, 3, 7);
  const Four rows[]{
      __builtin_shufflevector(ab_low, ce_low, 0, 1, 4, 5), __builtin_shufflevector(ab_low, ce_low, 2, 3, 6, 7),
      __builtin_shufflevector(ab_high, ce_high, 0, 1, 4, 5), __builtin_shufflevector(ab_high, ce_high, 2, 3, 6, 7)};
  for (int r = 0; r < 4; ++r) std::memcpy(to + r * to_step, &rows[r], sizeof(Four));
}

}  // namespace conv2d
