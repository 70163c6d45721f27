#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "base/range.hpp"
#include "base/scratch.hpp"
#include "conv2d/conv2d.hpp"
#include "conv2d/lowering.hpp"
#include "micro_kernels/clamp.hpp"

namespace conv2d::micro_kernels {
struct KernelSet;
}

/// The engines, and their interface: one pass of one geometry, prepared. The constructor decides everything that
/// follows from the sizes; a run only executes.
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
  const micro_kernels::Clamp* clamp = nullptr;  ///< of y, in forward of engines with kernels that clamp; null: none
};

using micro_kernels::KernelSet;

/// A number of floats as the micro-kernels count them: 32 bits in WebAssembly.
constexpr std::ptrdiff_t offset(std::int64_t floats) noexcept { return static_cast<std::ptrdiff_t>(floats); }

/// What a pass is prepared for.
struct PrepareOptions {
  const KernelSet* kernels = nullptr;  ///< of the run
  int parts = 1;                       ///< maximum
  bool packed_weights = false;         ///< w is packed once for many runs: the cost leaves packing out
  bool accumulate = false;             ///< PreparedPass adds the output of the engine to the caller's
};

/// Scratch memory of one part. Both begin on a cache line.
struct Memory {
  float* common = nullptr;  ///< read by all parts; filled in shares
  float* own = nullptr;     ///< of the thread: a part finds in it what an earlier one left
};

/// Immutable. Several runs may execute at once when their memory does not overlap.
class Executable {
 public:
  Executable() = default;
  Executable(const Executable&) = delete;
  Executable& operator=(const Executable&) = delete;
  virtual ~Executable() = default;

  /// Number of parts that threads can run at once. Each part has its own range of `out`, waits for no other, and sums
  /// every element in the order of an undivided run. Their work is about equal.
  [[nodiscard]] int parts() const noexcept { return kThreads ? parts_ : 1; }
  /// Whether it can have several parts, given enough work. The same in builds without threads.
  [[nodiscard]] bool divides() const noexcept { return divides_; }
  /// Number of shares in which the common memory is filled; by default that of the parts.
  [[nodiscard]] int shares() const noexcept { return !kThreads ? 1 : shares_ > 0 ? shares_ : parts_; }
  /// Scratch memory that all parts read, and the largest that one part needs for itself.
  [[nodiscard]] const ScratchLayout& common() const noexcept { return common_; }
  [[nodiscard]] const ScratchLayout& own() const noexcept { return own_; }
  /// Estimated time of the slowest part, in common units (about: cycles of one core), without filling the common
  /// memory.
  [[nodiscard]] double cost() const noexcept { return cost_; }
  /// Estimated time of filling the common memory on one thread.
  [[nodiscard]] double common_cost() const noexcept { return common_cost_; }
  /// Floats of the packed weights; 0 when the engine does not pack them. Overflowed when they cannot be counted.
  [[nodiscard]] CheckedInt packed_floats() const noexcept { return packed_floats_; }

  /// Identifies that order among those of one geometry and instruction set: it changes with the shape of the panels.
  [[nodiscard]] std::uint64_t packed_order() const noexcept { return packed_order_; }

  /// Packs the weights in the order in which run() reads them.
  virtual void pack(const float*, float*) const noexcept {}
  /// Whether fill_common must be called for all shares before any part runs.
  [[nodiscard]] bool fills_common(bool packed_weights) const noexcept {
    return kThreads && common_.floats().value_or(0) > 0 && !(packs_common_ && packed_weights);
  }
  virtual void fill_common(const Operands&, Part, const Memory&) const noexcept {}
  /// Computes the `out` of the part (and never reads it first). False when the hook cancels the run.
  virtual bool run(const Operands&, Part, const Memory&, const ProgressHook&) const noexcept = 0;

 protected:
  int parts_ = 1, shares_ = 0;
  ScratchLayout common_, own_;
  double cost_ = 0, common_cost_ = 0;
  CheckedInt packed_floats_ = 0;
  std::uint64_t packed_order_ = 0;
  bool divides_ = true;
  bool packs_common_ = false;  ///< the common data are the packed weights
};

using ExecutablePointer = std::unique_ptr<const Executable>;

// The passes that engines run (members of algorithm::Entry). Each engine has a README. Precondition of all: the reason
// is empty, and tensors are in NHWC and HWIO, unless the comment says otherwise.

/// forward, and backward_data in at most 1024 phases: planning visits every phase of the stride. Weights in any order.
std::string windows_unsupported_reason(const Geometry& g, Pass pass);
ExecutablePointer prepare_windows(const Geometry& g, Pass pass, const PrepareOptions& options);

/// forward and backward_data by F(m x m, 3 x 3) after Lavin and Gray (2015), with m = `kOutputs` 2 or 4. Sums mix the
/// cells of a tile: see AlgorithmInfo::mixes_cells. Weights in any order.
std::string winograd_unsupported_reason(const Geometry& g, Pass pass);
template <int kOutputs>
ExecutablePointer prepare_winograd(const Geometry& g, Pass pass, const PrepareOptions& options);

/// backward_weights by the transposed F(m x m, 3 x 3), where winograd_unsupported_reason is empty. The transformed
/// products of a block of at most kMostWinogradTiles tiles are summed before the block is added to dw: for each tile, a
/// micro-kernel reads a cache line of x and one or two of dy from L1.
inline constexpr std::int64_t kMostWinogradTiles = 128;
template <int kOutputs>
ExecutablePointer prepare_winograd_weights(const Geometry& g, Pass pass, const PrepareOptions& options);

/// NCHW, or one channel and one filter, with weights in any order: depthwise (forward and backward_data), and 1 x 1
/// kernels with stride 1 and no padding. backward_data of these needs HWIO weights.
std::string plane_unsupported_reason(const Geometry& g, Pass pass);
ExecutablePointer prepare_plane(const Geometry& g, Pass pass, const PrepareOptions& options);

/// Depthwise convolutions: each filter reads one channel.
std::string depthwise_unsupported_reason(const Geometry& g, Pass pass);
ExecutablePointer prepare_depthwise_forward(const Geometry& g, Pass pass, const PrepareOptions& options);
ExecutablePointer prepare_depthwise_backward_data(const Geometry& g, Pass pass, const PrepareOptions& options);
ExecutablePointer prepare_depthwise_backward_weights(const Geometry& g, Pass pass, const PrepareOptions& options);

/// backward_bias, in either layout: the rows of dy are summed in chains of kBiasChain, and the sums of chains added, so
/// that the rounding error stays small for any number of rows. Narrow rows are summed several at a time, as one row of
/// about kBiasRow floats: four of the widest registers.
inline constexpr std::int64_t kBiasChain = 256;
inline constexpr std::int64_t kBiasRow = 64;
ExecutablePointer prepare_backward_bias_sum(const Geometry& g, Pass pass, const PrepareOptions& options);

/// backward_weights as a sum of outer products, one per pixel of dy.
ExecutablePointer prepare_outer_product(const Geometry& g, Pass pass, const PrepareOptions& options);

/// forward: y_col = x_col . w_col + b; backward_data: dx_col = dy_col . w_col^T, then col2im (kh_kw_c order).
template <ColumnOrder kOrder>
ExecutablePointer prepare_im2col(const Geometry& g, Pass pass, const PrepareOptions& options);
/// dw_col = x_col^T . dy_col. Parts are rows of every group's dw_col.
ExecutablePointer prepare_im2col_weights(const Geometry& g, Pass pass, const PrepareOptions& options);

}  // namespace conv2d::engine
