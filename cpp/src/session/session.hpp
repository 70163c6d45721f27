#pragma once

#include <optional>
#include <vector>

#include "conv2d/conv2d.hpp"
#include "conv2d_teach/gradient_check.hpp"
#include "conv2d_teach/numeric.hpp"
#include "conv2d_teach/trace.hpp"
#include "session/buffer.hpp"

/// The session of the WebAssembly module: one problem, its tensors, the plans of its passes, and queries about it. The
/// library validates all lengths and shapes and computes all values. Calls that need a problem return invalid_argument
/// (field "desc") until set_problem() succeeds.
namespace conv2d::session {

/// The float32 tensors of a session. `stage` and `result` are the outputs of stage(), partial(), fold() and others.
enum class Slot { x, w, b, y, dy, dx, dw, db, target, stage, result };
inline constexpr std::size_t kSlotCount = 11;

enum class IndexSlot { a, b };

constexpr std::string_view to_string(Slot slot) noexcept {
  constexpr std::array<std::string_view, kSlotCount> kNames{"x",  "w",  "b",      "y",     "dy",    "dx",
                                                            "dw", "db", "target", "stage", "result"};
  return kNames[static_cast<std::size_t>(slot)];
}

/// The output of a pass.
constexpr Slot output_of(Pass pass) noexcept {
  constexpr Slot kOutputs[]{Slot::y, Slot::dx, Slot::dw, Slot::db};
  return kOutputs[static_cast<std::size_t>(pass)];
}

using Shape = std::array<std::int64_t, 4>;

struct StageResult {
  Status status;
  Shape shape{};
};

/// A partial result of a process.
struct PartialResult {
  Status status;
  Shape shape{};
  std::int64_t total_steps = 0;  ///< of the complete process
};

struct ScalarResult {
  Status status;
  double value = 0;
};

/// Cache of packed weights, for passes that run again with the same w.
class PackedWeights {
 public:
  /// The value of Tensors::packed for a run of `plan`. Empty on the first run of a pass, which packs w panel by panel
  /// at no extra cost. Also empty if the algorithm does not pack w, or if there is not enough memory.
  std::span<const float> for_run(const Plan& plan, std::span<const float> w);

  /// Call after w has, or may have, changed.
  void invalidate() noexcept;
  /// Call after the plan of a pass has changed.
  void invalidate(Pass pass) noexcept;

 private:
  struct Packed {
    Buffer<float> values;
    bool used = false;  ///< the pass has run with this w
    bool ready = false;
  };

  EnumArray<Pass, Packed, 4> packed_;
};

class Session {
 public:
  /// All passes run on `team`. Its threads must outlive the session.
  explicit Session(const Team& team = {}) noexcept : team_(team) {}

  /// Sets a new problem. Releases outputs and workspace of the old one; keeps x, w, b and target. Errors: those of
  /// `resolve`; the old problem is then unchanged.
  Status set_problem(const ConvDesc& desc);
  [[nodiscard]] const std::optional<Geometry>& geometry() const noexcept { return geometry_; }

  /// Allocates `length` values of a slot with unspecified contents, to be written through `writable`. Errors, with the
  /// slot's name as field: invalid_argument (negative length), out_of_memory.
  Status reserve(Slot slot, std::int64_t length);
  Status reserve_indices(IndexSlot slot, std::int64_t length);
  Status reserve_pixels(std::int64_t bytes);
  [[nodiscard]] std::span<const float> values(Slot slot) const noexcept { return out(slot); }
  /// A writable view, valid until the next call. What was computed from the slot then belongs to earlier values: the
  /// packed weights of w, and the terms of the loss of dy.
  std::span<float> writable(Slot slot) noexcept;
  /// A view for JavaScript, which reads or writes it. As writable(), except that dy stays the gradient of its loss.
  std::span<float> view(Slot slot) noexcept;
  [[nodiscard]] std::span<std::int32_t> indices(IndexSlot slot) const noexcept { return indices_[slot].span(); }
  [[nodiscard]] std::span<std::uint8_t> pixels() const noexcept { return pixels_.span(); }

  /// All algorithms of a pass for this problem, with the options of plan(). Empty without a problem.
  [[nodiscard]] std::vector<AlgorithmInfo> algorithms(Pass pass) const;
  /// Plans a pass (empty `algorithm`: the one with the lowest cost) and allocates its output and the workspace. Errors:
  /// those of conv2d::plan, out_of_memory; the previous plan is then unchanged.
  Status plan(Pass pass, std::string_view algorithm);
  [[nodiscard]] const std::optional<Plan>& planned(Pass pass) const noexcept { return plans_[pass]; }
  /// Runs a planned pass. The second run with the same w packs the weights for all later runs. Errors: invalid_argument
  /// (field "pass": not planned), those of conv2d::run, out_of_memory.
  Status run(Pass pass, const ProgressHook& progress);

  StageResult stage(Stage stage, const StageOptions& options);  ///< writes Slot::stage
  PartialResult partial(Process process, std::int64_t steps);   ///< writes Slot::result
  /// Folds the first `positions` rows of dx_col (negative: all) into Slot::result.
  PartialResult fold(FoldMode mode, std::int64_t positions);
  Status coverage();  ///< writes [h, w] to Slot::result
  /// Writes to Slot::result the products of the indexed elements, followed by the subtotals of each `group` of
  /// products. Returns the sum of all. If IndexSlot::b is empty, the terms are the elements of `a`. Error:
  /// invalid_argument (field "result": Slot::result cannot be a factor).
  ScalarResult products(Slot a, Slot b, std::int64_t group);
  [[nodiscard]] ScalarResult max_abs_difference(Slot a, Slot b) const;
  /// Writes the 4 values of adjoint_check to Slot::result. Precondition: y was computed without b.
  Status adjoint();
  [[nodiscard]] TensorStats stats(Slot slot) const noexcept { return tensor_stats(values(slot)); }

  Status random_dy(std::int64_t seed);  ///< dy = random_values, with the lower 32 bits of the seed
  /// dy = gradient of the loss at y and target. Returns the loss.
  ScalarResult loss_dy(Loss loss);
  /// Writes to Slot::result how the last loss_dy computed dy[index]: y, target, difference, slope, gradient. Error:
  /// invalid_argument (field "index": outside dy, or dy was written since).
  Status loss_cell(std::int64_t index);
  /// Converts the pixels with values_of_pixels to 1 or 3 channels, into Slot::result, and releases them.
  Status tensor_of_pixels(std::int64_t channels);

  /// parameter -= rate * gradient. Error: length_mismatch (field "gradient").
  Status sgd_step(Slot parameter, Slot gradient, double rate);
  /// One step of the power iteration, for x if `of_x`, otherwise for w and b. Writes the curvature, the largest rate
  /// and the factor at `rate` to the first 3 elements of Slot::result. Errors: length_mismatch (field "result", "dx",
  /// "dw" or "db").
  Status power_iteration_step(bool of_x, double rate);

 private:
  /// The options of plan() and algorithms().
  [[nodiscard]] PlanOptions options(std::string_view algorithm = {}) const noexcept;
  /// A slot as output of a computation.
  [[nodiscard]] std::span<float> out(Slot slot) const noexcept;

  Team team_;
  std::optional<Geometry> geometry_;
  Loss loss_ = Loss::linear;  ///< dy is the gradient of this loss; linear: dy was set directly
  EnumArray<Slot, Buffer<float>, kSlotCount> tensors_;
  EnumArray<Pass, std::optional<Plan>, 4> plans_;
  PackedWeights packed_weights_;
  Buffer<float> workspace_;
  EnumArray<IndexSlot, Buffer<std::int32_t>, 2> indices_;
  Buffer<std::uint8_t> pixels_;
};

}  // namespace conv2d::session
