#pragma once

#include <cstdint>
#include <string>
#include <vector>

/// The sets of micro-kernels for tests of whole passes, one after the other:
///   const KernelSetScope set(GENERATE(from_range(kernel_sets())));
namespace conv2d::test {

/// Names of the kernel sets of the library that this processor runs, the fastest first, then the portable one, then the
/// emulated one (not with sanitizers).
std::vector<std::string> kernel_sets();

/// During its lifetime, the environment requests an instruction set for all plans that name none.
class RequestedSet {
 public:
  explicit RequestedSet(const std::string& name);
  RequestedSet(const RequestedSet&) = delete;
  RequestedSet& operator=(const RequestedSet&) = delete;
  ~RequestedSet();

  /// What it requested before.
  [[nodiscard]] const std::string& before() const noexcept { return before_; }

 private:
  static constexpr const char* kVariable = "CONV2D_INSTRUCTION_SET";
  std::string before_;
};

/// During its lifetime, plans that name no instruction set use the kernels of the named one.
class KernelSetScope {
 public:
  explicit KernelSetScope(const std::string& name);

  [[nodiscard]] const std::string& name() const noexcept { return name_; }
  /// How many of `runs` random problems to run on this set: all on the set that the library chooses, a tenth on the
  /// others.
  [[nodiscard]] std::int64_t share_of(std::int64_t runs) const noexcept { return (runs + part_ - 1) / part_; }

 private:
  RequestedSet requested_;
  std::string name_;
  std::int64_t part_ = 1;
};

}  // namespace conv2d::test
