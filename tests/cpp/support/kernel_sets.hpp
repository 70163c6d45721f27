#pragma once

#include <cstdint>
#include <string>
#include <vector>

/// The sets of micro-kernels for tests of whole passes, one after the other:
///   const KernelSetScope set(GENERATE(from_range(kernel_sets())));
namespace conv2d::test {

/// Names of the kernel sets of the library that this processor runs, the fastest first, then the emulated ones (not
/// with sanitizers).
std::vector<std::string> kernel_sets();

/// During its lifetime, the library uses the kernels of the named set.
class KernelSetScope {
 public:
  explicit KernelSetScope(const std::string& name);
  KernelSetScope(const KernelSetScope&) = delete;
  KernelSetScope& operator=(const KernelSetScope&) = delete;
  ~KernelSetScope();

  [[nodiscard]] const std::string& name() const noexcept { return name_; }
  /// How many of `runs` random problems to run on this set: all on the set that the library chooses, a tenth on the
  /// others.
  [[nodiscard]] std::int64_t share_of(std::int64_t runs) const noexcept { return (runs + part_ - 1) / part_; }

 private:
  std::string name_;
  std::int64_t part_ = 1;
};

}  // namespace conv2d::test
