#pragma once

#include <optional>
#include <string>
#include <vector>

#include "conv2d/conv2d.hpp"
#include "conv2d_teach/chain.hpp"
#include "conv2d_teach/losses.hpp"
#include "conv2d_teach/numeric.hpp"
#include "conv2d_teach/trace.hpp"
#include "session/buffer.hpp"
#include "session/packed_weights.hpp"
#include "session/slots.hpp"

/// The session of the WebAssembly module: a chain of layers, its tensors, and queries about each layer. A problem of
/// one convolution is a chain of one. The library validates all lengths and shapes and computes all values. Calls that
/// need a chain return invalid_argument (field "layers") until set_problem() succeeds.
///
/// Each write and each run gives a tensor a new version. A step keeps the versions of what it read: it is current until
/// one of them changes. What is not current cannot be read, so that no question is answered from earlier values.
namespace conv2d::session {

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

class Session {
 public:
  /// All passes run on `team`. Its threads must outlive the session.
  explicit Session(const Team& team = {}) noexcept : team_(team) {}

  /// Sets a chain and plans its passes. Keeps x, target, and w and b by the number of the layer; keeps the results and
  /// the chosen algorithms of layers with the same geometry and kind, as far as they do not read others. dy of the last
  /// layer is the gradient of `loss` with `target`, or given with the linear loss: it is released when the loss or the
  /// last layer changes. Errors: those of plan_chain; the old chain is then unchanged.
  Status set_problem(ChainDesc desc, std::span<const LayerDesc> layers, std::string_view loss = "linear");
  [[nodiscard]] const std::optional<Chain>& chain() const noexcept { return chain_; }
  /// The algorithm of a pass, from now on; empty: the plan's choice. Errors: those of with_algorithm; invalid_argument
  /// (field "layer": no such layer); unsupported ("layer": it has no weights). The old one then stays.
  Status set_algorithm(std::int64_t layer, Pass pass, std::string_view name);

  /// Allocates `length` values with unspecified contents, to be written through `writable`. Errors, with the slot's
  /// name as field: invalid_argument (negative length, or the tensor is a result), out_of_memory; invalid_argument
  /// (field "layer": no such layer).
  Status reserve(TensorId id, std::int64_t length);
  Status reserve_indices(IndexSlot slot, std::int64_t length);
  Status reserve_pixels(std::int64_t bytes);
  /// Empty if there is no such tensor or it is not current. Valid until the next call.
  [[nodiscard]] std::span<const float> values(TensorId id) const noexcept;
  /// A writable view, valid until the next call; a new version of the tensor. Empty for results: steps write them.
  std::span<float> writable(TensorId id) noexcept;
  [[nodiscard]] std::span<std::int32_t> indices(IndexSlot slot) const noexcept { return indices_[slot].span(); }
  [[nodiscard]] std::span<std::uint8_t> pixels() const noexcept { return pixels_.span(); }
  /// Flat index in the layer's x of the winner of each cell of its y; empty for layers other than max_pool, and if y is
  /// not current.
  [[nodiscard]] std::span<const std::int32_t> winners(std::int64_t layer) const noexcept;
  /// Another number for each write and run; 0 for a tensor without values, or one that is not current.
  [[nodiscard]] std::uint32_t version(TensorId id) const noexcept;
  [[nodiscard]] TensorStats stats(TensorId id) const noexcept { return tensor_stats(values(id)); }
  /// Root of the sum of squares.
  [[nodiscard]] double norm(TensorId id) const noexcept { return conv2d::norm(values(id)); }

  /// The first step of `operations` that is not current: forward from the first layer to the last, the loss, backward
  /// from the last to the first.
  [[nodiscard]] std::optional<Step> next(Operations operations = kAllOperations) const noexcept;
  /// Whether the step has run with the present values and algorithm; false if there is no such step.
  [[nodiscard]] bool is_current(Step step) const noexcept;
  /// Runs a step, current or not. The second run with the same w packs the weights for all later runs. Errors:
  /// invalid_argument (fields "layer", "operation": there is no such step; a slot's name: what it reads is not
  /// current); those of run_pass and loss_gradient; out_of_memory. The result then has no values.
  Status run(Step step, const ProgressHook& progress);
  /// Null if there is no such layer or it has no weights.
  [[nodiscard]] const Plan* planned(std::int64_t layer, Pass pass) const noexcept;
  /// The loss of the last step `loss`; NaN if it is not current.
  [[nodiscard]] double loss() const noexcept;

  // Questions about a layer with weights. Errors besides those named: invalid_argument (field "layer": no such layer);
  // unsupported (field "layer": it has no weights; for stage, partial, fold and adjoint: it is no convolution);
  // length_mismatch for what is not current.

  /// All algorithms of a pass, with the options of the plan. Empty after an error.
  [[nodiscard]] std::vector<AlgorithmInfo> algorithms(std::int64_t layer, Pass pass) const;
  StageResult stage(std::int64_t layer, Stage stage, const StageOptions& options);  ///< writes Slot::stage
  PartialResult partial(std::int64_t layer, Process process, std::int64_t steps);   ///< writes Slot::result
  /// Folds the first `positions` rows of dx_col (negative: all) into Slot::result.
  PartialResult fold(std::int64_t layer, FoldMode mode, std::int64_t positions);
  /// Writes to Slot::result, [h, w], in how many windows each cell of x is; for a transposed convolution, of y.
  Status coverage(std::int64_t layer);
  /// Writes to Slot::result the products of the indexed elements, followed by the subtotals of each `group` of
  /// products. Returns the sum of all. If IndexSlot::b is empty, the terms are the elements of `a`. Error:
  /// invalid_argument (field "result": Slot::result cannot be a factor).
  ScalarResult products(std::int64_t layer, Slot a, Slot b, std::int64_t group);
  /// Writes the 4 values of adjoint_check to Slot::result, where y is computed without b.
  Status adjoint(std::int64_t layer);

  [[nodiscard]] ScalarResult max_abs_difference(TensorId a, TensorId b) const;
  /// dy of the last layer = random_values, with the lower 32 bits of the seed. Error: as reserve.
  Status random_dy(std::int64_t seed);
  /// Writes to Slot::result how the loss computed dy[index]: y, target, and the members of LossCell. Error:
  /// invalid_argument (field "index": outside dy, or dy is not the current gradient of a loss).
  Status loss_cell(std::int64_t index);
  /// Writes what each output of an average_pool is made of (AverageCell): the sums to Slot::result, the counts to
  /// IndexSlot::a. Errors: unsupported (field "layer": the layer is no average_pool); length_mismatch ("x").
  Status averages(std::int64_t layer);
  /// Converts the pixels with values_of_pixels to 1 or 3 channels, into Slot::result, and releases them.
  Status tensor_of_pixels(std::int64_t channels);

  /// x, or w and b of all layers, -= rate * gradient. Without a bias, b stays. Error: length_mismatch (field "dx", "dw"
  /// or "db": not current); nothing is then changed.
  Status sgd_step(bool of_x, double rate);
  /// to -= rate * of. Errors: length_mismatch (field "gradient"); as reserve, if `to` cannot be written.
  Status subtract(TensorId to, TensorId of, double rate);
  /// One step of the power iteration of a chain of one convolution, for x if `of_x`, otherwise for w and b. Writes the
  /// curvature, the largest rate and the factor at `rate` to the first 3 elements of Slot::result. Errors:
  /// length_mismatch (field "result", "dx", "dw" or "db"); unsupported (field "layers": another chain).
  Status power_iteration_step(bool of_x, double rate);

 private:
  struct Tensor {
    Buffer<float> values;
    std::uint32_t version = 0;

    void release() noexcept {
      values.release();
      version = 0;
    }
  };
  /// A step that has run, and the versions of what it read.
  struct Ran {
    bool is_done = false;
    std::array<std::uint32_t, 3> read{};
  };
  /// What a step reads.
  struct Reads {
    std::array<TensorId, 3> ids{};
    std::size_t count = 0;

    void add(TensorId id) noexcept { ids[count++] = id; }
  };
  struct Layer {
    EnumArray<Slot, Tensor, kSlotCount> tensors;  ///< those of the chain are in the first layer
    Buffer<std::int32_t> winners;                 ///< as current as y
    EnumArray<Operation, Ran, kOperationCount> ran;
    PackedWeights packed;
    EnumArray<Pass, std::string, 4> algorithms;  ///< that were set
  };

  [[nodiscard]] std::size_t size() const noexcept { return chain_ ? chain_->size() : 0; }
  [[nodiscard]] std::int64_t last() const noexcept { return static_cast<std::int64_t>(size()) - 1; }
  /// The error of a layer that does not exist; without a chain, of all but the first.
  [[nodiscard]] Status check_layer(std::int64_t layer) const noexcept;
  /// As check_layer, for the layer of a tensor; target, stage and result belong to none.
  [[nodiscard]] Status check_id(TensorId id) const noexcept;
  /// Where a tensor is: x of a later layer is a y. Precondition: check_id.
  [[nodiscard]] static TensorId placed(TensorId id) noexcept;
  /// Preconditions of these: the id is placed.
  [[nodiscard]] Tensor& at(TensorId id) noexcept {
    return layers_[static_cast<std::size_t>(id.layer)].tensors[id.slot];
  }
  [[nodiscard]] const Tensor& at(TensorId id) const noexcept {
    return layers_[static_cast<std::size_t>(id.layer)].tensors[id.slot];
  }
  /// Whether a loss computes dy of the last layer.
  [[nodiscard]] bool has_target() const noexcept { return chain_ && chain_->has_target(); }
  /// The step that computes a tensor; nothing for an input.
  [[nodiscard]] std::optional<Step> step_of(TensorId id) const noexcept;
  [[nodiscard]] bool is_current(TensorId id) const noexcept;
  /// The error of writing a result.
  [[nodiscard]] Status check_writable(TensorId id) const noexcept;
  /// Gives a tensor a new version.
  void touch(TensorId id) noexcept;
  /// stage or result with `length` elements.
  Result<std::span<float>> scratch(Slot slot, std::int64_t length, std::string_view name);
  [[nodiscard]] std::span<float> out(TensorId id) noexcept { return at(id).values.span(); }

  /// The error of a step that does not exist.
  [[nodiscard]] Status check_step(Step step) const noexcept;
  [[nodiscard]] Reads reads_of(Step step) const noexcept;
  [[nodiscard]] Ran& ran(Step step) noexcept {
    return layers_[static_cast<std::size_t>(step.layer)].ran[step.operation];
  }
  [[nodiscard]] const Ran& ran(Step step) const noexcept {
    return layers_[static_cast<std::size_t>(step.layer)].ran[step.operation];
  }
  Status run_pass(std::size_t layer, Pass pass, const ProgressHook& progress);
  Status run_loss();

  void release_layer(std::size_t layer, bool with_weights) noexcept;
  void change_chain(const Chain& chain);

  /// A layer with weights.
  [[nodiscard]] Result<const LayerInfo*> weighted(std::int64_t layer) const noexcept;
  /// The geometry of a convolution. Error: unsupported (field "layer": another kind).
  [[nodiscard]] Result<const Geometry*> convolution(std::int64_t layer) const noexcept;
  [[nodiscard]] std::span<const float> values(std::int64_t layer, Slot slot) const noexcept {
    return values(TensorId{layer, slot});
  }
  [[nodiscard]] PlanOptions options(std::string_view algorithm = {}) const noexcept {
    return {.algorithm = algorithm, .threads = team_.threads, .packed_weights = true};
  }

  Team team_;
  std::optional<Chain> chain_;
  double loss_value_ = 0;
  std::uint32_t versions_ = 0;  ///< so far
  std::array<Layer, kMaxLayers> layers_;
  Buffer<float> workspace_;
  EnumArray<IndexSlot, Buffer<std::int32_t>, 2> indices_;
  Buffer<std::uint8_t> pixels_;
};

}  // namespace conv2d::session
