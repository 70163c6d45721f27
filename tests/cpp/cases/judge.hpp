#pragma once

#include <span>

#include "cases/case_file.hpp"
#include "support/failures.hpp"

namespace conv2d::test {

/// What is wrong with `got`. `exact` asks listed elements to be the expected float32 itself; the sums
/// of a digest always have their tolerance.
Failure judge(std::span<const float> got, const ExpectedTensor& expected, bool exact);

}  // namespace conv2d::test
