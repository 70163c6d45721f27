#pragma once

#include <cstdint>
#include <memory>

#include "base/ledger.hpp"
#include "base/part.hpp"
#include "conv2d/conv2d.hpp"

namespace conv2d::micro_kernels {
struct KernelSet;
}

/// What every engine gives: a pass of one geometry made ready. All that follows from the sizes is decided when it is
/// made; running only executes.
namespace conv2d::engine {

/// The tensors of a run; inputs that the pass does not have are null, and so is b when there is no bias. `out` is y,
/// dx, dw or db. Lengths were checked by the caller; nothing overlaps.
struct Operands {
  const float* x = nullptr;
  const float* w = nullptr;
  const float* packed = nullptr;  ///< w as Prepared::pack made it; null: read w
  const float* b = nullptr;
  const float* dy = nullptr;
  float* out = nullptr;
};

using micro_kernels::KernelSet;

/// What a pass may be prepared for.
struct Request {
  const KernelSet* kernels = nullptr;  ///< that it will run on
  int threads = 1;                     ///< at most so many parts
  bool packed_weights = false;         ///< w will be packed once for many runs: packing is not counted
};

/// Scratch memory as one part sees it. Both begin on a line.
struct Memory {
  float* common = nullptr;  ///< what all parts read and each has filled a part of
  float* own = nullptr;
};

/// Immutable; runs of it may overlap when their memory does not.
class Prepared {
 public:
  Prepared() = default;
  Prepared(const Prepared&) = delete;
  Prepared& operator=(const Prepared&) = delete;
  virtual ~Prepared() = default;

  /// Parts that threads may make at once: each its own part of `out` in its own memory, waiting for no other, and
  /// summing every element as an undivided run does.
  [[nodiscard]] int parts() const noexcept { return kThreads ? parts_ : 1; }
  /// Scratch that all parts read, and that of the neediest part.
  [[nodiscard]] const Ledger& common() const noexcept { return common_; }
  [[nodiscard]] const Ledger& own() const noexcept { return own_; }
  /// Estimated time of the slowest part in arbitrary but common units (about: cycles of one core).
  [[nodiscard]] double cost() const noexcept { return cost_; }
  /// Floats of the packed weights; 0: it has no use for them. Does not fit when they cannot be counted.
  [[nodiscard]] CheckedInt packed_floats() const noexcept { return packed_floats_; }

  /// Rearranges the weights as run() reads them, for those who keep the result.
  virtual void pack(const float*, float*) const noexcept {}
  /// Whether fill_common must be called for all parts before the first of them runs.
  [[nodiscard]] bool fills_common() const noexcept { return kThreads && common_.floats().value_or(0) > 0; }
  virtual void fill_common(const Operands&, Part, const Memory&) const noexcept {}
  /// Computes the part's `out` (never reads it first). False when the hook asked to stop.
  virtual bool run(const Operands&, Part, const Memory&, const ProgressHook&) const noexcept = 0;

 protected:
  int parts_ = 1;
  Ledger common_, own_;
  double cost_ = 0;
  CheckedInt packed_floats_ = 0;
};

using PreparedPointer = std::unique_ptr<const Prepared>;

}  // namespace conv2d::engine
