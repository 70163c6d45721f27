#pragma once

#include <cstdint>

#include "conv2d/conv_desc.hpp"
#include "conv2d/status.hpp"
#include "mistakes/layers.hpp"
#include "mistakes/mistake.hpp"

/// Cells with a right value that a mistake gives, too: an answer does not show the mistake.
namespace conv2d::mistakes {

struct Ambiguity {
  bool ambiguous = false;
};

/// Whether a mistake of of_numbers() gives the right value of a cell, compared to three digits. A mistake counts if
/// other values in the same geometry let it change a cell of the result: a forgotten stride does not at stride 1.
/// Errors: those of `diagnose`.
Result<Ambiguity> ambiguity(const Geometry& g, Pass pass, const Inputs& inputs, std::int64_t cell);

/// The same for layer_mistakes(). For dx a mistake counts if other values of dy, with the same x, let it change the
/// cell: behind an open gate nothing shows that the gate was forgotten. Errors: those of `diagnose`.
Result<Ambiguity> ambiguity(const LayerProblem& problem, Pass pass, std::int64_t cell);

}  // namespace conv2d::mistakes
