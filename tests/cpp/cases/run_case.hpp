#pragma once

#include <string>
#include <vector>

#include "cases/case_file.hpp"
#include "conv2d/team.hpp"

namespace conv2d::test {

/// How one case went: a line per failure (pass, algorithm, worst element), and how many results were compared.
struct CaseReport {
  std::vector<std::string> failures{};
  std::int64_t comparisons = 0;
};

/// All four passes, every algorithm that supports the geometry; those that can be divided also as two shares on `team`.
CaseReport run_valid_case(const ValidCase& c, const Team& team = {});

/// The case's pass with meaningless data: an error where one is required, and no crash in any case.
CaseReport run_invalid_case(const InvalidCase& c);

}  // namespace conv2d::test
