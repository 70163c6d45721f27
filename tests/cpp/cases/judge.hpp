#pragma once

#include <span>
#include <string>

#include "cases/case_file.hpp"

namespace conv2d::test {

/// What is wrong with `got`; empty: nothing. `exact` asks listed elements to be the expected float32 itself; the sums
/// of a digest always have their tolerance.
std::string judge(std::span<const float> got, const ExpectedTensor& expected, bool exact);

}  // namespace conv2d::test
