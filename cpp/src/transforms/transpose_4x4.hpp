#pragma once

#include <cstdint>
#include <cstring>

#include "compiler/four.hpp"

namespace conv2d {

inline Four load_four(const float* from) noexcept {
  Four four;
  std::memcpy(&four, from, sizeof(four));
  return four;
}

/// to[r * to_step + i] = lane[i][d + r] for i, r < 4.
inline void transpose_4x4(const float* const* lane, std::int64_t d, float* to, std::int64_t to_step) noexcept {
  const Four a = load_four(lane[0] + d), b = load_four(lane[1] + d), c = load_four(lane[2] + d),
             e = load_four(lane[3] + d);
  const Four ab_low = pick<0, 4, 1, 5>(a, b), ab_high = pick<2, 6, 3, 7>(a, b);
  const Four ce_low = pick<0, 4, 1, 5>(c, e), ce_high = pick<2, 6, 3, 7>(c, e);
  const Four rows[]{pick<0, 1, 4, 5>(ab_low, ce_low), pick<2, 3, 6, 7>(ab_low, ce_low),
                    pick<0, 1, 4, 5>(ab_high, ce_high), pick<2, 3, 6, 7>(ab_high, ce_high)};
  for (int r = 0; r < 4; ++r) std::memcpy(to + r * to_step, &rows[r], sizeof(Four));
}

}  // namespace conv2d
