#pragma once

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

}  // namespace conv2d::mistakes
