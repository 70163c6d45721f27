#pragma once

#include <string>

#include "support/json.hpp"

namespace conv2d::test {

/// Reads a file of tests/golden.
Json golden(const std::string& name);

/// The table of plans' choices, tests/problems/choices.json.
std::string choices_path();

/// The images of digits, web/content/digits.txt.
std::string digits_path();

}  // namespace conv2d::test
