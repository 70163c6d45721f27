#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <string_view>

#include "conv2d/algorithm.hpp"
#include "conv2d/config.hpp"
#include "conv2d/conv_desc.hpp"
#include "conv2d/plan_options.hpp"
#include "conv2d/status.hpp"
#include "conv2d/team.hpp"

/// The four passes of a 2-D convolution (cross-correlation, see ConvDesc for the formula).
///
///   describe (ConvDesc) -> plan (validated geometry, algorithm, workspace size) -> run with the caller's memory
///
/// A run allocates nothing and throws nothing. All spans are dense in the descriptor's layout and must have exactly the
/// geometry's number of elements (otherwise length_mismatch). Output and workspace must not overlap any other span of
/// the run (otherwise invalid_argument). NaN and infinities propagate.
///
/// Results are bitwise identical for every number of threads: the summation order of an element does not depend on it,
/// and plan() chooses the algorithm as for one thread, unless PlanOptions::deterministic is false. The default choice
/// includes Winograd, which has larger rounding errors and spreads NaN (see Accuracy). Plan::algorithm() names the
/// chosen algorithm; AlgorithmInfo::error_bound bounds its error.
namespace conv2d {

namespace algorithm {
class PreparedPass;
}

/// Called on the calling thread between blocks of work. Return false to stop the pass, which then returns `cancelled`.
/// The callback must not throw. `done` and `total` count blocks of work.
struct ProgressHook {
  bool (*step)(void* context, std::int64_t done, std::int64_t total) noexcept = nullptr;
  void* context = nullptr;
};

/// A pass that is ready to run: geometry, algorithm, division of work, and layout of its scratch memory. Immutable,
/// cheap to copy, and without tensors. Created by plan(). A plan that was moved from stays valid, because a move is a
/// copy.
class Plan {  // NOLINT(*-special-member-functions): a move is a copy
 public:
  Plan(const Plan&) = default;
  Plan& operator=(const Plan&) = default;
  ~Plan() = default;

  [[nodiscard]] CONV2D_API const Geometry& geometry() const noexcept;
  [[nodiscard]] CONV2D_API Pass pass() const noexcept;
  /// Name of the algorithm that run() executes.
  [[nodiscard]] CONV2D_API std::string_view algorithm() const noexcept;
  /// Instruction set of its kernels: "sse2", "avx2", "avx512", "neon", "wasm", "portable".
  [[nodiscard]] CONV2D_API std::string_view instruction_set() const noexcept;
  /// Floats of workspace that a run needs. Their contents need no initialization.
  [[nodiscard]] CONV2D_API std::int64_t workspace_floats() const noexcept;
  /// Floats of the packed weights, including the tag in front of them; 0 if the algorithm does not use packed weights.
  [[nodiscard]] CONV2D_API std::int64_t packed_floats() const noexcept;
  /// Threads that a run uses. 1 if more would take longer, if the work cannot be divided, and in a WebAssembly build
  /// without threads.
  [[nodiscard]] CONV2D_API int threads() const noexcept;

 private:
  friend class algorithm::PreparedPass;
  explicit Plan(std::shared_ptr<const algorithm::PreparedPass> prepared) noexcept : prepared_(std::move(prepared)) {}

  std::shared_ptr<const algorithm::PreparedPass> prepared_;
};

/// Creates a plan.
/// Errors: those of `resolve`; unknown_algorithm; unsupported (the message has the algorithm's reason, or says that the
/// algorithm is less exact than PlanOptions::accuracy, or field "accumulate": the pass is not dw or db); overflow;
/// invalid_argument (field "threads"; "pass" or "accuracy" if it is no enumerator; or "instruction_set" if this
/// processor does not have the instruction set named there or in CONV2D_INSTRUCTION_SET). Allocates memory. If there is
/// none, native builds throw std::bad_alloc and WebAssembly builds abort.
CONV2D_API Result<Plan> plan(const ConvDesc& desc, Pass pass, const PlanOptions& options = {});
CONV2D_API Result<Plan> plan(const Geometry& geometry, Pass pass, const PlanOptions& options = {});

/// What forward does to each y = conv(x, w) + b, with the same bits as a loop over its output: y <= lowest becomes
/// `lowest`, and then y >= highest becomes `highest`. NaN stays. {.lowest = 0} is ReLU, where -0 becomes +0, and {0, 6}
/// is ReLU6. The default changes nothing.
struct Clamp {
  float lowest = -std::numeric_limits<float>::infinity();
  float highest = std::numeric_limits<float>::infinity();
};

/// The tensors of a run. Members that the pass does not use are ignored.
struct Tensors {
  std::span<const float> x{}, w{};
  std::span<const float> packed{};  ///< the result of pack_weights(), read instead of w; or empty
  std::span<const float> b{};       ///< k elements, or empty for no bias
  std::span<const float> dy{};
  std::span<float> out{};  ///< y, dx, dw or db
  Clamp clamp{};           ///< of y
};

/// Workspace, progress hook and threads of a run.
struct Resources {
  std::span<float> workspace{};  ///< at least Plan::workspace_floats()
  ProgressHook progress{};
  /// At least Plan::threads() threads. With a smaller team the calling thread executes all parts one after the other,
  /// with the same result.
  Team team{};
};

/// Runs the plan's pass:
///   forward           out = y  = conv(x, w) + b, clamped
///   backward_data     out = dx = gradient of sum(y * dy) with respect to x; exactly 0 where no window reads x
///   backward_weights  out = dw = gradient with respect to w, summed over the batch (not averaged)
///   backward_bias     out = db = sum of dy over batch and pixels
/// With PlanOptions::accumulate, dw or db is added to what `out` contains.
/// Errors: length_mismatch; unsupported (field "packed": the algorithm does not use packed weights); invalid_argument
/// (field "packed": packed for another plan; "clamp": `lowest` is above `highest`, or one is NaN; the output's name or
/// "workspace": overlaps another tensor); cancelled.
CONV2D_API Status run(const Plan& plan, const Tensors& tensors, const Resources& resources) noexcept;

// One function per pass. Errors: those of run(), and invalid_argument (field "plan") for a plan of another pass.

/// Runs a plan of this pass: y. b: k elements, or empty for no bias.
CONV2D_API Status forward(const Plan& plan, std::span<const float> x, std::span<const float> w,
                          std::span<const float> b, std::span<float> y, const Resources& resources) noexcept;
/// Runs a plan of this pass: dx, in the shape of x.
CONV2D_API Status backward_data(const Plan& plan, std::span<const float> dy, std::span<const float> w,
                                std::span<float> dx, const Resources& resources) noexcept;
/// Runs a plan of this pass: dw, in the shape of w.
CONV2D_API Status backward_weights(const Plan& plan, std::span<const float> x, std::span<const float> dy,
                                   std::span<float> dw, const Resources& resources) noexcept;
/// Runs a plan of this pass: db, k elements.
CONV2D_API Status backward_bias(const Plan& plan, std::span<const float> dy, std::span<float> db,
                                const Resources& resources) noexcept;

/// Packs w in the order in which the plan's algorithm reads it, so that runs do not repeat that work. `packed` has
/// Plan::packed_floats() elements and may be copied. It is valid for every plan with the same pass, geometry, algorithm
/// and instruction set, of the same version of the library, and gives bitwise the same results. run() checks a tag at
/// its front and rejects weights that were packed for another plan or by another version; the message has the
/// difference. Errors: unsupported (packed_floats() is 0), length_mismatch, invalid_argument (w and packed overlap).
CONV2D_API Status pack_weights(const Plan& plan, std::span<const float> w, std::span<float> packed) noexcept;

}  // namespace conv2d
