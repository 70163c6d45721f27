#pragma once

#include <string>
#include <vector>

#include "cases/case_file.hpp"
#include "conv2d/team.hpp"

namespace conv2d::test {

/// The result of one case: a line per failure (pass, algorithm, worst element), and the number of results compared.
struct CaseReport {
  std::vector<std::string> failures{};
  std::int64_t comparisons = 0;
};

/// Runs all four passes with every algorithm that supports the geometry; divisible ones also as two parts on `team`.
CaseReport run_valid_case(const ValidCase& c, const Team& team = {});

/// Runs the pass of the case with placeholder data: it must fail if the case requires an error, and must never crash.
CaseReport run_invalid_case(const InvalidCase& c);

}  // namespace conv2d::test
