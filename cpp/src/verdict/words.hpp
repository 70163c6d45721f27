#pragma once

#include <string>

#include "conv2d_check/check.hpp"
#include "verdict/exact.hpp"
#include "verdict/formats.hpp"

/// Verdicts in words.
namespace conv2d_check {

/// "x and dy rounded to bfloat16, dw stored in bfloat16"
std::string rounding_words(Pass pass, const InputRounding& rounding, const Storage& storage, bool rounds_inputs);

/// Six digits at most: "0.25", "-1.5e-07".
std::string number_text(double value);

/// The sentence of a verdict. `geometry` names the worst cell by its axes.
std::string sentence_of(const Verdict& verdict, const Geometry& geometry, Pass pass);

}  // namespace conv2d_check
