#pragma once

#include <cstdint>
#include <memory>

#include "base/range.hpp"
#include "base/scratch.hpp"
#include "conv2d/conv2d.hpp"

namespace conv2d::micro_kernels {
struct KernelSet;
}

/// The interface of the engines: one pass of one geometry, prepared. The constructor decides everything that follows
/// from the sizes; a run only executes.
namespace conv2d::engine {

/// The tensors of a run. Inputs that the pass does not have are null, and so is b without a bias. `out` is y, dx, dw or
/// db. The caller has checked the lengths and that nothing overlaps.
struct Operands {
  const float* x = nullptr;
  const float* w = nullptr;
  const float* packed = nullptr;  ///< w packed by Executable::pack; null: read w
  const float* b = nullptr;
  const float* dy = nullptr;
  float* out = nullptr;
};

using micro_kernels::KernelSet;

/// What a pass is prepared for.
struct PrepareOptions {
  const KernelSet* kernels = nullptr;  ///< of the run
  int threads = 1;                     ///< maximum number of parts
  bool packed_weights = false;         ///< w is packed once for many runs: the cost leaves packing out
  bool accumulate = false;             ///< PreparedPass adds the output of the engine to the caller's
};

/// Scratch memory of one part. Both begin on a cache line.
struct Memory {
  float* common = nullptr;  ///< read by all parts; each part fills a share of it
  float* own = nullptr;
};

/// Immutable. Several runs may execute at once when their memory does not overlap.
class Executable {
 public:
  Executable() = default;
  Executable(const Executable&) = delete;
  Executable& operator=(const Executable&) = delete;
  virtual ~Executable() = default;

  /// Number of parts that threads can run at once. Each part has its own range of `out` and its own memory, waits for
  /// no other, and sums every element in the order of an undivided run.
  [[nodiscard]] int parts() const noexcept { return kThreads ? parts_ : 1; }
  /// Scratch memory that all parts read, and the largest that one part needs for itself.
  [[nodiscard]] const ScratchLayout& common() const noexcept { return common_; }
  [[nodiscard]] const ScratchLayout& own() const noexcept { return own_; }
  /// Estimated time of the slowest part, in common units (about: cycles of one core).
  [[nodiscard]] double cost() const noexcept { return cost_; }
  /// Floats of the packed weights; 0 when the engine does not pack them. Overflowed when they cannot be counted.
  [[nodiscard]] CheckedInt packed_floats() const noexcept { return packed_floats_; }

  /// Packs the weights in the order in which run() reads them.
  virtual void pack(const float*, float*) const noexcept {}
  /// Whether fill_common must be called for all parts before any part runs.
  [[nodiscard]] bool fills_common() const noexcept { return kThreads && common_.floats().value_or(0) > 0; }
  virtual void fill_common(const Operands&, Part, const Memory&) const noexcept {}
  /// Computes the `out` of the part (and never reads it first). False when the hook cancels the run.
  virtual bool run(const Operands&, Part, const Memory&, const ProgressHook&) const noexcept = 0;

 protected:
  int parts_ = 1;
  ScratchLayout common_, own_;
  double cost_ = 0;
  CheckedInt packed_floats_ = 0;
};

using ExecutablePointer = std::unique_ptr<const Executable>;

}  // namespace conv2d::engine
