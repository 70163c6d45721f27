#pragma once

#include <cstdint>
#include <string>
#include <vector>

/// The sets of micro-kernels that tests of whole passes run on, one after the other:
///   const OnKernelSet set(GENERATE(from_range(kernel_sets())));
namespace conv2d::test {

/// By name: those of the library that this processor runs, the fastest first, then, but for the sanitizers, the
/// emulated.
std::vector<std::string> kernel_sets();

/// While it lives, the library works with the named set's kernels.
class OnKernelSet {
 public:
  explicit OnKernelSet(const std::string& name);
  OnKernelSet(const OnKernelSet&) = delete;
  OnKernelSet& operator=(const OnKernelSet&) = delete;
  ~OnKernelSet();

  [[nodiscard]] const std::string& name() const noexcept { return name_; }
  /// Of `runs` random problems, how many this set gets: all for the one that the library chooses, a part for the
  /// others.
  [[nodiscard]] std::int64_t share_of(std::int64_t runs) const noexcept { return (runs + part_ - 1) / part_; }

 private:
  std::string name_;
  std::int64_t part_ = 1;
};

}  // namespace conv2d::test
