#pragma once

#include <span>

#include "cases/case_file.hpp"
#include "support/failures.hpp"

namespace conv2d::test {

/// The failure of `got`, if any. With `exact`, listed elements must equal the expected float32; the sums of a digest
/// always have their tolerance.
Failure verify(std::span<const float> got, const ExpectedTensor& expected, bool exact);

}  // namespace conv2d::test
