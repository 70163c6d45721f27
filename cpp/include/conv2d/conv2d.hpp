#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string_view>

#include "conv2d/algorithm.hpp"
#include "conv2d/conv_desc.hpp"
#include "conv2d/status.hpp"
#include "conv2d/team.hpp"

/// The four passes of a 2-D convolution (cross-correlation, see ConvDesc for the formula).
///
///   describe (ConvDesc) -> plan (validated geometry, algorithm, workspace size) -> run with the caller's memory
///
/// Running allocates nothing and throws nothing. All spans are dense in the descriptor's layout, must have exactly
/// the geometry's number of elements (length_mismatch otherwise) and must not overlap. NaN and infinities in the data
/// are computed with, not hidden. The number of threads changes no bit of what an
/// algorithm computes (which one is chosen may depend on it).
namespace conv2d {

namespace algorithm {
class PreparedPass;
}

/// Called between blocks of work from the calling thread. Return false to stop: the pass then returns `cancelled`.
struct ProgressHook {
  bool (*step)(void* context, std::int64_t done, std::int64_t total) = nullptr;
  void* context = nullptr;
};

struct PlanOptions {
  std::string_view algorithm{};  ///< a name from `algorithms()`; empty: the cheapest by the cost model
  int threads = 1;               ///< that the run may use, at least 1; more than 64 are taken for 64
  /// A thread is given at least so many multiply-adds: fewer take less time than to wake it.
  std::int64_t macs_per_thread = std::int64_t{1} << 20;
  /// The weights will be packed once for many runs (pack_weights), which then need not be counted for the choice.
  bool packed_weights = false;
  /// Whose kernels will run: one of those that this processor has; empty: the fastest of them, or what the environment
  /// variable CONV2D_INSTRUCTION_SET asks for.
  std::string_view instruction_set{};
};

/// A pass made ready: geometry, algorithm, how its work is divided, where its scratch memory lies. Immutable, and cheap
/// to copy; holds no tensor. Only plan() makes one.
class Plan {
 public:
  [[nodiscard]] const Geometry& geometry() const noexcept { return geometry_; }
  [[nodiscard]] Pass pass() const noexcept { return pass_; }
  /// The name of the algorithm that will run.
  [[nodiscard]] std::string_view algorithm() const noexcept { return algorithm_; }
  /// The instruction set that its kernels are compiled for: "sse2", "avx2", "avx512", "neon", "wasm".
  [[nodiscard]] std::string_view instruction_set() const noexcept { return instruction_set_; }
  /// Floats of scratch that a run needs; their contents need no initialisation.
  [[nodiscard]] std::int64_t workspace_floats() const noexcept { return workspace_floats_; }
  /// Floats of the packed weights; 0 when the algorithm has no use for them.
  [[nodiscard]] std::int64_t packed_floats() const noexcept { return packed_floats_; }
  /// That a run is divided among: 1 for what is small or cannot be divided, and in a WebAssembly build without threads.
  [[nodiscard]] int threads() const noexcept { return threads_; }

 private:
  friend struct PlanAccess;
  explicit Plan(const Geometry& geometry) noexcept : geometry_(geometry) {}

  Geometry geometry_;
  Pass pass_ = Pass::forward;
  std::string_view algorithm_, instruction_set_;
  std::int64_t workspace_floats_ = 0, packed_floats_ = 0;
  int threads_ = 1;
  std::shared_ptr<const algorithm::PreparedPass> prepared_;
};

/// Errors: those of `resolve`, unknown_algorithm, unsupported (message: the algorithm's reason), overflow,
/// invalid_argument (threads; instruction_set or CONV2D_INSTRUCTION_SET, that this processor lacks).
Result<Plan> plan(const ConvDesc& desc, Pass pass, const PlanOptions& options = {});
Result<Plan> plan(const Geometry& geometry, Pass pass, const PlanOptions& options = {});

/// The tensors of a run. Those that the pass does not have are not looked at.
struct Tensors {
  std::span<const float> x{}, w{};
  std::span<const float> packed{};  ///< w as pack_weights() made it, in whose place it is read when it is not empty
  std::span<const float> b{};       ///< k elements, or empty for no bias
  std::span<const float> dy{};
  std::span<float> out{};  ///< y, dx, dw or db
};

/// What a run works with beside its tensors.
struct Resources {
  std::span<float> workspace{};  ///< Plan::workspace_floats() of them, or more
  ProgressHook progress{};
  /// A plan for several threads needs a team of as many. With a smaller one the calling thread does all parts, one
  /// after the other, with the same result.
  Team team{};
};

/// Runs the plan's pass:
///   forward           out = y  = conv(x, w) + b
///   backward_data     out = dx = the gradient of sum(y * dy) with respect to x; cells that no window reads are exactly
///   0 backward_weights  out = dw = the same with respect to w, summed over the batch (not averaged) backward_bias out
///   = db = the sum of dy over batch and pixels
/// Errors: length_mismatch, unsupported (field "packed"), cancelled.
Status run(const Plan& plan, const Tensors& tensors, const Resources& resources) noexcept;

// The same by the names of the passes. Error invalid_argument (field "plan") for a plan of another pass.

Status forward(const Plan& plan, std::span<const float> x, std::span<const float> w, std::span<const float> b,
               std::span<float> y, const Resources& resources) noexcept;
Status backward_data(const Plan& plan, std::span<const float> dy, std::span<const float> w, std::span<float> dx,
                     const Resources& resources) noexcept;
Status backward_weights(const Plan& plan, std::span<const float> x, std::span<const float> dy, std::span<float> dw,
                        const Resources& resources) noexcept;
Status backward_bias(const Plan& plan, std::span<const float> dy, std::span<float> db,
                     const Resources& resources) noexcept;

/// Packs w the way the plan's algorithm reads it, which each of its runs would else do for itself. `packed` has
/// Plan::packed_floats() elements; it serves every plan of the same pass, geometry and algorithm, with the same
/// results, bit for bit. Error unsupported where those are 0.
Status pack_weights(const Plan& plan, std::span<const float> w, std::span<float> packed) noexcept;

}  // namespace conv2d
