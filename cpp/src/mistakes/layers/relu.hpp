#pragma once

#include <algorithm>
#include <cstdint>

#include "desc/windows.hpp"
#include "mistakes/layers/cells.hpp"

/// Mistakes of ReLU.
namespace conv2d::mistakes::relu {

inline double right(const LayerProblem& p, Pass pass, std::int64_t cell) {
  if (pass == Pass::forward) return std::max(at(p.x, cell), 0.0);
  return at(p.x, cell) > 0 ? at(p.dy, cell) : 0;
}

inline constexpr LayerMistake kMistakes[] = {
    {.name = "gate_forgotten",
     .title = "Gate forgotten",
     .sentence = "The whole dy was passed on. ReLU passes dy only where x is above 0.",
     .lesson = "relu.3",
     .pass = Pass::backward_data,
     .value = [](const LayerProblem& p, std::int64_t cell) { return at(p.dy, cell); }},
    {.name = "gate_of_dy",
     .title = "Gate by the sign of dy",
     .sentence = "dy was passed on where dy is above 0. The sign of x decides, not that of dy.",
     .lesson = "relu.2",
     .pass = Pass::backward_data,
     .value = [](const LayerProblem& p, std::int64_t cell) { return std::max(at(p.dy, cell), 0.0); }},
    {.name = "gate_at_zero",
     .title = "Gate open at 0",
     .sentence = "dy was passed on where x is exactly 0, too (x >= 0). Here the gate is closed at 0, as in PyTorch.",
     .lesson = "relu.4",
     .pass = Pass::backward_data,
     .value = [](const LayerProblem& p, std::int64_t cell) { return at(p.x, cell) >= 0 ? at(p.dy, cell) : 0; }},
};

}  // namespace conv2d::mistakes::relu
