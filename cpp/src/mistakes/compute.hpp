#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "conv2d/conv_desc.hpp"
#include "mistakes/mistake.hpp"

namespace conv2d::mistakes {

/// Inputs of all passes, in the geometry's layout; `b` may be empty.
struct Inputs {
  std::span<const float> x, w, b, dy;
};

/// One element of a result.
struct Cell {
  double sum = 0;
  double magnitude = 0;    ///< sum of |terms|, to which rounding is relative
  std::int64_t steps = 0;  ///< taps (y) or windows (dx, dw, db) that contributed
};

/// The result of a pass with `variant` of `mistake`; nullptr: the correct result. Computed in double, term by term, in
/// the order n, i, j, p, q, c, k.
std::vector<Cell> compute(const Geometry& g, Pass pass, const Inputs& inputs, const Mistake* mistake, int variant);

}  // namespace conv2d::mistakes
