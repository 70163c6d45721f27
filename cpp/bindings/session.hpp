#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>

#include "conv2d/conv2d.hpp"
#include "conv2d/gradient_check.hpp"
#include "conv2d/numeric.hpp"
#include "conv2d/trace.hpp"
#include "gradient_table.hpp"
#include "shared/heap_buffer.hpp"
#include "shared/sizes.hpp"

/// What JavaScript holds of the library: one problem, its tensors on the module's heap, and the calls on them. Only
/// plumbing: lengths, shapes and values are judged and computed by the library.
namespace conv2d::bindings {

/// The session's float32 tensors. `stage` and `result` take what stage(), partial(), fold(), ... write.
enum class Slot { x, w, b, y, dy, dx, dw, db, target, stage, result };
inline constexpr std::size_t kSlotCount = 11;

enum class IndexSlot { a, b };

struct Resolved {
  Status status;
  Geometry geometry;
  Shape x_shape{}, w_shape{}, y_shape{};
};

struct Planned {
  Status status;
  std::string algorithm;  ///< the one that will run
  double workspace_floats = 0;
  double packed_floats = 0;  ///< of the weights that are kept packed from the second run on
  int threads = 1;           ///< that it will run on
};

struct Shaped {
  Status status;
  Shape shape{};
};

/// A tensor of a sequential process that was stopped somewhere.
struct Framed {
  Status status;
  Shape shape{};
  double total_steps = 0;  ///< of the whole process
};

struct Measured {
  Status status;
  double value = 0;
};

class Session {
 public:
  /// Takes a new problem: outputs and scratch of the old one are released, x, w, b and target stay. On an error the
  /// old problem stays as it was.
  Resolved set_problem(const ConvDesc& desc);

  /// Room for `length` values in a slot, to be written through `span` at once: any later call may move the heap.
  Status reserve(Slot slot, double length);
  Status reserve_indices(IndexSlot slot, double length);
  Status reserve_pixels(double bytes);
  [[nodiscard]] std::span<float> span(Slot slot) const noexcept { return tensor(slot).span(); }
  /// The same for somebody who may write: w is then taken for changed.
  std::span<float> writable(Slot slot) noexcept;
  [[nodiscard]] std::span<std::int32_t> indices(IndexSlot slot) const noexcept;
  [[nodiscard]] std::span<std::uint8_t> pixels() const noexcept { return pixels_.span(); }
  [[nodiscard]] std::span<double> check_table() const noexcept { return check_table_.span(); }

  /// Chooses the algorithm (empty: by the cost model) and reserves the pass's output and workspace.
  Planned plan(Pass pass, const std::string& algorithm);
  /// Runs what `plan` of the same pass prepared. The second run with the same w packs it for all that follow.
  Status run(Pass pass, const ProgressHook& progress);

  Shaped stage(Stage stage, const StageOptions& options);  ///< into Slot::stage
  Framed partial(Process process, double steps);           ///< into Slot::result
  /// The first `positions` rows of dx_col (all, when negative) folded into Slot::result.
  Framed fold(FoldMode mode, double positions);
  Status coverage();  ///< [h, w] into Slot::result
  /// Into Slot::result the products, and behind them the subtotals of each `run` of them; value: the sum of all. Where
  /// IndexSlot::b is empty, the elements of `a` alone.
  Measured products(Slot a, Slot b, double run);
  Measured max_abs_difference(Slot a, Slot b) const;
  /// Into Slot::result what adjoint_check says, of a y that was made without b.
  Status adjoint();
  [[nodiscard]] TensorStats stats(Slot slot) const noexcept { return tensor_stats(span(slot)); }

  Status random_dy(double seed);
  /// dy = the loss's gradient at y and target; value: the loss there.
  Measured loss_dy(Loss loss);
  /// Into Slot::result how the last loss_dy made dy[index]: y, target, their difference, slope, gradient.
  Status loss_cell(double index);
  Status tensor_of_pixels(double channels);  ///< pixels into Slot::result
  /// Cells: those in IndexSlot::a, or all of the parameter when it is empty. Fills check_table().
  CheckSummary gradient_check(const CheckOptions& options);

  [[nodiscard]] const std::optional<Geometry>& geometry() const noexcept { return geometry_; }

 private:
  [[nodiscard]] const HeapBuffer<float>& tensor(Slot slot) const noexcept;
  HeapBuffer<float>& tensor(Slot slot) noexcept;
  std::span<const float> packed_weights(const Plan& plan);
  void forget_packed() noexcept;

  /// w as a pass reads it.
  struct PackedWeights {
    HeapBuffer<float> values;
    bool used = false;  ///< w has had a run
    bool ready = false;
  };

  std::optional<Geometry> geometry_;
  Loss loss_ = Loss::linear;  ///< whose gradient dy is; linear: dy was given
  std::array<HeapBuffer<float>, kSlotCount> tensors_;
  std::array<std::optional<Plan>, 4> plans_;
  std::array<PackedWeights, 4> packed_;  ///< by pass
  HeapBuffer<float> workspace_;
  std::array<HeapBuffer<std::int32_t>, 2> indices_;
  HeapBuffer<std::uint8_t> pixels_;
  HeapBuffer<double> check_table_;
};

}  // namespace conv2d::bindings
