#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "conv2d/conv_desc.hpp"
#include "conv2d/status.hpp"
#include "mistakes/compute.hpp"

namespace conv2d::mistakes {

/// What a bug makes of a problem, seen from outside.
struct Showing {
  bool occasion = false;   ///< whether the problem gives one to make this mistake; without, all numbers are right
  bool differs = false;    ///< whether any cell is wrong
  std::vector<int> alike;  ///< the places in the list of all that compute the same here, its own among them
};

/// A pass as the mistake at `place` of the list computes it in its first way, and by how much that differs from what
/// is right, cell by cell; both rounded from double. Errors: those of `check_problem`, invalid_argument ("place"),
/// length_mismatch ("wrong", "difference").
Result<Showing> show(const Geometry& g, Pass pass, const Inputs& inputs, int place, std::span<float> wrong,
                     std::span<float> difference);

/// What a gradient check says of a gradient.
struct Checked {
  std::int64_t failed = 0;  ///< cells that are not what was measured
  std::int64_t worst = -1;  ///< the cell that is furthest off; -1: none is
};

/// Holds a gradient against the slopes of the loss that were measured, cell by cell. A cell fails that is off by more
/// than a 100,000th of the largest slope: both are rounded to float32. Error length_mismatch.
Result<Checked> hold_against(std::span<const float> gradient, std::span<const float> measured) noexcept;

}  // namespace conv2d::mistakes
