#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "conv2d/conv2d.hpp"
#include "conv2d/gradient_check.hpp"
#include "conv2d/numeric.hpp"
#include "conv2d/trace.hpp"
#include "session/buffer.hpp"
#include "session/gradient_table.hpp"
#include "session/kept_weights.hpp"
#include "session/slots.hpp"

/// What a page holds of the library: one problem, its tensors, the plans of its passes, and the questions about it.
/// Lengths, shapes and values are judged and computed by the library. Before a problem is set, whatever needs one is
/// invalid_argument (field "desc").
namespace conv2d::session {

using Shape = std::array<std::int64_t, 4>;

struct Shaped {
  Status status;
  Shape shape{};
};

/// A tensor of a sequential process that was stopped somewhere.
struct Framed {
  Status status;
  Shape shape{};
  std::int64_t total_steps = 0;  ///< of the whole process
};

struct Measured {
  Status status;
  double value = 0;
};

class Session {
 public:
  /// The passes run on `team`, which must outlive the session.
  explicit Session(const Team& team = {}) noexcept : team_(team) {}

  /// Takes a new problem: outputs and scratch of the old one are released, x, w, b and target stay. Errors: those of
  /// `resolve`; then the old problem stays as it was.
  Status set_problem(const ConvDesc& desc);
  [[nodiscard]] const std::optional<Geometry>& geometry() const noexcept { return geometry_; }

  /// Room for `length` values in a slot, to be written through `writable` at once. Errors: invalid_argument (negative),
  /// out_of_memory; field: the slot's name.
  Status reserve(Slot slot, std::int64_t length);
  Status reserve_indices(IndexSlot slot, std::int64_t length);
  Status reserve_pixels(std::int64_t bytes);
  [[nodiscard]] std::span<const float> values(Slot slot) const noexcept { return tensor(slot).span(); }
  /// The same for somebody who may write until the next call: w is then taken for changed.
  std::span<float> writable(Slot slot) noexcept;
  [[nodiscard]] std::span<std::int32_t> indices(IndexSlot slot) const noexcept;
  [[nodiscard]] std::span<std::uint8_t> pixels() const noexcept { return pixels_.span(); }
  [[nodiscard]] std::span<double> check_table() const noexcept { return check_table_.span(); }

  /// Every algorithm of a pass with its answer for the problem; none without one.
  [[nodiscard]] std::vector<AlgorithmInfo> algorithms(Pass pass) const;
  /// Chooses the algorithm (empty: by the cost model) and reserves the pass's output and workspace. Errors: those of
  /// conv2d::plan, out_of_memory; then the plan before stays.
  Status plan(Pass pass, std::string_view algorithm);
  [[nodiscard]] const std::optional<Plan>& planned(Pass pass) const noexcept {
    return plans_[static_cast<std::size_t>(pass)];
  }
  /// Runs what `plan` of the same pass prepared. The second run with the same w packs it for all that follow. Errors:
  /// invalid_argument (field "pass": not planned), those of conv2d::run, out_of_memory.
  Status run(Pass pass, const ProgressHook& progress);

  Shaped stage(Stage stage, const StageOptions& options);  ///< into Slot::stage
  Framed partial(Process process, std::int64_t steps);     ///< into Slot::result
  /// The first `positions` rows of dx_col (all, when negative) folded into Slot::result.
  Framed fold(FoldMode mode, std::int64_t positions);
  Status coverage();  ///< [h, w] into Slot::result
  /// Into Slot::result the products, and behind them the subtotals of each `run` of them; value: the sum of all. Where
  /// IndexSlot::b is empty, the elements of `a` alone.
  Measured products(Slot a, Slot b, std::int64_t run);
  [[nodiscard]] Measured max_abs_difference(Slot a, Slot b) const;
  /// Into Slot::result what adjoint_check says, of a y that was made without b.
  Status adjoint();
  [[nodiscard]] TensorStats stats(Slot slot) const noexcept { return tensor_stats(values(slot)); }

  Status random_dy(std::int64_t seed);  ///< random_values for the seed's lower 32 bits
  /// dy = the loss's gradient at y and target; value: the loss there.
  Measured loss_dy(Loss loss);
  /// Into Slot::result how the last loss_dy made dy[index]: y, target, their difference, slope, gradient. Error
  /// invalid_argument (field "index").
  Status loss_cell(std::int64_t index);
  /// The pixels, as values_of_pixels makes them for 1 channel or else 3, into Slot::result. The pixels are released.
  Status tensor_of_pixels(std::int64_t channels);
  /// Cells: those in IndexSlot::a, or all of the parameter when it is empty. Fills check_table().
  CheckSummary gradient_check(const CheckOptions& options);

  /// learnt -= rate * slopes. Error length_mismatch ("slopes").
  Status descend(Slot learnt, Slot slopes, double rate);
  /// A round of the power iteration: in x, or else in w and b. Writes the curvature, and the largest rate and the
  /// factor at `rate`, into Slot::result, which has 3 floats at least. Errors: length_mismatch ("result", "dx", "dw" or
  /// "db": as many as what is learnt has).
  Status power_round(bool of_x, double rate);

 private:
  [[nodiscard]] const Buffer<float>& tensor(Slot slot) const noexcept;
  Buffer<float>& tensor(Slot slot) noexcept;
  /// Where something is computed into.
  [[nodiscard]] std::span<float> out(Slot slot) const noexcept { return tensor(slot).span(); }

  Team team_;
  std::optional<Geometry> geometry_;
  Loss loss_ = Loss::linear;  ///< whose gradient dy is; linear: dy was given
  std::array<Buffer<float>, kSlotCount> tensors_;
  std::array<std::optional<Plan>, 4> plans_;  ///< by pass
  KeptWeights kept_;
  Buffer<float> workspace_;
  std::array<Buffer<std::int32_t>, 2> indices_;
  Buffer<std::uint8_t> pixels_;
  Buffer<double> check_table_;
};

}  // namespace conv2d::session
