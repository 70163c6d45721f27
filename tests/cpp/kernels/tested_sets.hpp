#pragma once

#include <set>
#include <string>
#include <vector>

#include "kernels/operations.hpp"
#include "micro_kernels/kernel_set.hpp"

/// Every compiled set of micro-kernels: those of the library, and the portable and emulated ones of the tests. The
/// portable set is the library's fallback on processors without another.
namespace conv2d::test {

struct TestedSet {
  const micro_kernels::KernelSet* kernels = nullptr;
  const Operations* operations = nullptr;
  bool emulated = false;
  bool runs_here = false;

  [[nodiscard]] std::string name() const { return std::string(kernels->instruction_set); }
};

const std::vector<TestedSet>& tested_sets();

/// A set that plans find by this name. Empty until a test assigns its kernels.
inline constexpr std::string_view kCustomSet = "custom";
micro_kernels::KernelSet& custom_set();

/// What actually ran on a set; the summary at the end reports only this.
struct Exercised {
  std::set<std::string> kernels;     ///< tested individually
  std::set<std::string> operations;  ///< of simd/batch.hpp
  int passes = 0;                    ///< tests of whole passes
};

Exercised& exercised(const std::string& set);

/// Calls test(set) for every set that this processor can run.
template <class Test>
void for_each_set(Test&& test) {
  for (const TestedSet& set : tested_sets()) {
    if (set.runs_here) test(set);
  }
}

}  // namespace conv2d::test
