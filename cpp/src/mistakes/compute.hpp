#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "conv2d/conv_desc.hpp"
#include "mistakes/mistake.hpp"

namespace conv2d::mistakes {

/// The inputs of all passes, in the geometry's layout; `b` may be empty.
struct Inputs {
  std::span<const float> x, w, b, dy;
};

/// One cell of a result.
struct Cell {
  double sum = 0;
  double magnitude = 0;    ///< the sum of its products' magnitudes: what rounding is relative to
  std::int64_t steps = 0;  ///< taps of y, windows of dx, dw and db that had something to say to it
};

/// A result as somebody computes it who makes `mistake` in one of its ways; null: as is right. In double, one product
/// after the other: windows of an image row by row, their taps row by row.
std::vector<Cell> compute(const Geometry& g, Pass pass, const Inputs& inputs, const Mistake* mistake, int way);

}  // namespace conv2d::mistakes
