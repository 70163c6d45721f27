#pragma once

#include <cstdint>
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
/// are computed with, not hidden. The number of threads changes no bit of a result.
namespace conv2d {

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
};

/// A pass made ready: geometry, algorithm, workspace. Cheap to copy; holds no tensor.
struct Plan {
  Geometry geometry;
  Pass pass = Pass::forward;
  std::string_view algorithm;         ///< the name of the algorithm that will run
  std::int64_t workspace_floats = 0;  ///< floats of scratch that the run needs; contents need no initialisation
  std::int64_t packed_floats = 0;     ///< floats of the packed weights; 0 when the algorithm has no use for them
  int threads = 1;  ///< that the run is divided among: 1 for what is small or cannot be divided, and in a
                    ///< WebAssembly build without threads
  const void* implementation = nullptr;  ///< opaque
};

/// Errors: those of `resolve`, unknown_algorithm, unsupported (message: the algorithm's reason), overflow,
/// invalid_argument (threads; CONV2D_INSTRUCTION_SET, where the environment asks for one that this processor lacks).
Result<Plan> plan(const ConvDesc& desc, Pass pass, const PlanOptions& options = {});
Result<Plan> plan(const Geometry& geometry, Pass pass, const PlanOptions& options = {});

// The runs of a plan for several threads need a team of as many. With a smaller one the calling thread does all parts,
// one after the other, with the same result.

/// y = conv(x, w) + b. `b` has k elements, or is empty for no bias.
Status forward(const Plan& plan, std::span<const float> x, std::span<const float> w, std::span<const float> b,
               std::span<float> y, std::span<float> workspace, const ProgressHook& progress = {},
               const Team& team = {}) noexcept;

/// dx = the gradient of sum(y * dy) with respect to x. Cells that no window reads are exactly 0.
Status backward_data(const Plan& plan, std::span<const float> dy, std::span<const float> w, std::span<float> dx,
                     std::span<float> workspace, const ProgressHook& progress = {}, const Team& team = {}) noexcept;

/// Packs w the way the plan's algorithm reads it, which each of its runs would else do for itself. `packed` has
/// Plan::packed_floats elements. Error unsupported where those are 0.
Status pack_weights(const Plan& plan, std::span<const float> w, std::span<float> packed) noexcept;

/// forward() and backward_data() with weights that pack_weights() packed for a plan of the same geometry and algorithm:
/// the same results, bit for bit.
Status forward_packed(const Plan& plan, std::span<const float> x, std::span<const float> packed,
                      std::span<const float> b, std::span<float> y, std::span<float> workspace,
                      const ProgressHook& progress = {}, const Team& team = {}) noexcept;
Status backward_data_packed(const Plan& plan, std::span<const float> dy, std::span<const float> packed,
                            std::span<float> dx, std::span<float> workspace, const ProgressHook& progress = {},
                            const Team& team = {}) noexcept;

/// dw = the gradient of sum(y * dy) with respect to w, summed over the batch (not averaged).
Status backward_weights(const Plan& plan, std::span<const float> x, std::span<const float> dy, std::span<float> dw,
                        std::span<float> workspace, const ProgressHook& progress = {}, const Team& team = {}) noexcept;

/// db[k] = sum of dy over batch and pixels.
Status backward_bias(const Plan& plan, std::span<const float> dy, std::span<float> db, std::span<float> workspace,
                     const ProgressHook& progress = {}, const Team& team = {}) noexcept;

}  // namespace conv2d
