#pragma once

#include <cmath>
#include <cstdint>

#include "mistakes/layers/cells.hpp"

/// Mistakes of leaky ReLU.
namespace conv2d::mistakes::leaky_relu {

/// 1 where x is above 0, else alpha.
inline double slope(const LayerProblem& p, std::int64_t cell) { return at(p.x, cell) > 0 ? 1 : p.options[0]; }

inline double right(const LayerProblem& p, Pass pass, std::int64_t cell) {
  return slope(p, cell) * at(pass == Pass::forward ? p.x : p.dy, cell);
}

inline constexpr LayerMistake kMistakes[] = {
    {.name = "not_leaky",
     .title = "Slope 0 below 0",
     .sentence = "The cell is 0, as behind a ReLU. A leaky ReLU multiplies x by its slope where x is not above 0.",
     .lesson = "relu.1",
     .pass = Pass::forward,
     .value = [](const LayerProblem& p, std::int64_t cell) { return at(p.x, cell) > 0 ? at(p.x, cell) : 0; }},
    {.name = "sign_dropped",
     .title = "Sign dropped",
     .sentence = "The sign was dropped: the slope times |x|. A leaky ReLU keeps values below 0 below 0.",
     .lesson = "relu.1",
     .pass = Pass::forward,
     .value = [](const LayerProblem& p, std::int64_t cell) { return slope(p, cell) * std::abs(at(p.x, cell)); }},
    {.name = "not_leaky_dx",
     .title = "Gate closed below 0",
     .sentence =
         "No gradient passed, as behind a ReLU. A leaky ReLU multiplies dy by its slope where x is not above 0.",
     .lesson = "relu.3",
     .pass = Pass::backward_data,
     .value = [](const LayerProblem& p, std::int64_t cell) { return at(p.x, cell) > 0 ? at(p.dy, cell) : 0; }},
    {.name = "slope_forgotten",
     .title = "Slope forgotten",
     .sentence = "The whole dy was passed on. Where x is not above 0, it is multiplied by the slope.",
     .lesson = "relu.3",
     .pass = Pass::backward_data,
     .value = [](const LayerProblem& p, std::int64_t cell) { return at(p.dy, cell); }},
    {.name = "slope_of_dy",
     .title = "Slope by the sign of dy",
     .sentence = "dy was multiplied by the slope where dy is not above 0. The sign of x decides, not that of dy.",
     .lesson = "relu.2",
     .pass = Pass::backward_data,
     .value = [](const LayerProblem& p,
                 std::int64_t cell) { return at(p.dy, cell) > 0 ? at(p.dy, cell) : p.options[0] * at(p.dy, cell); }},
    {.name = "times_y",
     .title = "Output in place of the slope",
     .sentence = "dy was multiplied by y. The gradient is dy times the slope: 1 where x is above 0.",
     .lesson = "relu.2",
     .pass = Pass::backward_data,
     .value = [](const LayerProblem& p, std::int64_t cell) { return at(p.dy, cell) * slope(p, cell) * at(p.x, cell); }},
};

}  // namespace conv2d::mistakes::leaky_relu
