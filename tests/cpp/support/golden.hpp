#pragma once

#include <string>

#include "support/json.hpp"

namespace conv2d::test {

/// Reads a file of tests/golden.
Json golden(const std::string& name);

}  // namespace conv2d::test
