#pragma once

#include <optional>
#include <vector>

#include "conv2d_teach/chain.hpp"
#include "session/gradient_table.hpp"
#include "session/session.hpp"

/// The session of the module "network": one chain, its tensors, and queries about it. All values come from the library.
/// Calls that need a chain return invalid_argument (field "layers") until set_chain() succeeds.
namespace conv2d::session {

/// Tensors of a chain session. x, dx and target belong to the chain, the others to a layer: dy is the gradient at the
/// layer's output.
enum class ChainSlot { x, dx, target, w, b, y, dy, dw, db };
inline constexpr std::size_t kChainSlotCount = 9;

constexpr std::string_view to_string(ChainSlot slot) noexcept {
  constexpr std::array<std::string_view, kChainSlotCount> kNames{"x", "dx", "target", "w", "b", "y", "dy", "dw", "db"};
  return kNames[static_cast<std::size_t>(slot)];
}

/// Whether the slot belongs to a layer.
constexpr bool is_of_layer(ChainSlot slot) noexcept { return slot > ChainSlot::target; }

struct ChainInput {
  Layout layout = Layout::nhwc;
  std::int64_t n = 1, h = 1, w = 1, c = 1;
};

/// What one output of an average_pool is made of: AverageCell.
struct ChainAverageCell {
  Status status;
  float sum = 0;
  std::int64_t count = 0;
};

struct ChainCheckOptions {
  Loss loss = Loss::linear;
  std::int64_t layer = 0;
  Parameter parameter = Parameter::x;
  bool float64 = false;  ///< all arithmetic in double, on the float32 values
  double epsilon = 0;
};

class ChainSession {
 public:
  /// Plans a chain and allocates its outputs, gradients and workspace. Keeps x, target, and w and b by the number of
  /// the layer. Errors: those of plan_chain, with the old chain unchanged; out_of_memory, with no chain.
  Status set_chain(const ChainInput& input, std::span<const LayerDesc> layers);
  [[nodiscard]] const std::optional<Chain>& chain() const noexcept { return chain_; }

  /// Allocates `length` values with unspecified contents, to be written through `span`. For x, target, w, b and the
  /// last dy; b of length 0 is no bias. The gradients of the last backward are then those of other values. Errors:
  /// invalid_argument (negative length, or "layer": no such layer), out_of_memory.
  Status reserve(std::int64_t layer, ChainSlot slot, std::int64_t length);
  /// Valid until the next call; empty if there is no such layer. `layer` is ignored for x, dx and target.
  [[nodiscard]] std::span<float> span(std::int64_t layer, ChainSlot slot) const noexcept;
  /// Flat index in the layer's x of the winner of each cell of its y; empty for layers other than max_pool.
  [[nodiscard]] std::span<std::int32_t> winners(std::int64_t layer) const noexcept;

  Status forward();
  /// From dy of the last layer, which loss_dy or the caller wrote. Reads the outputs of the last forward. Error:
  /// invalid_argument (field "y": no forward since set_chain).
  Status backward();
  /// dy of the last layer = gradient of the loss at its y and `target` (Loss::linear: a copy of target). Returns the
  /// loss. Error: as backward.
  ScalarResult loss_dy(Loss loss);
  [[nodiscard]] TensorStats stats(std::int64_t layer, ChainSlot slot) const noexcept {
    return tensor_stats(span(layer, slot));
  }
  /// Root of the sum of squares.
  [[nodiscard]] double norm(std::int64_t layer, ChainSlot slot) const noexcept {
    return conv2d::norm(span(layer, slot));
  }
  /// w and b of all layers -= rate * gradient.
  Status sgd_step(double rate);
  /// Error: invalid_argument (field "index": the layer is no average_pool, or has no such cell).
  [[nodiscard]] ChainAverageCell average_cell(std::int64_t layer, std::int64_t index) const;

  /// The cells that gradient_check checks, to be written through `check_cells`; none: all.
  Status reserve_check_cells(std::int64_t length) { return check_cells_.reserve(length, "indices"); }
  [[nodiscard]] std::span<std::int32_t> check_cells() const noexcept { return check_cells_.span(); }
  /// Checks a gradient through the whole chain: that of the last backward, if it began with this loss's loss_dy and no
  /// tensor was reserved since, else that of the reference. For Loss::linear, `target` is dy. Writes check_table, one
  /// column per cell, as fill_gradient_table with two more rows: kink_layer, kink_cell. Errors: those of
  /// chain_gradient_check, out_of_memory.
  CheckSummary gradient_check(const ChainCheckOptions& options);
  [[nodiscard]] std::span<double> check_table() const noexcept { return check_table_.span(); }

 private:
  using Tensors = EnumArray<ChainSlot, Buffer<float>, kChainSlotCount>;

  /// The place of a slot in tensors_: its layer, or 0 for a slot of the chain. Error: invalid_argument (field "layer").
  [[nodiscard]] Result<std::size_t> place_of(std::int64_t layer, ChainSlot slot) const noexcept;
  Status reserve_outputs();
  [[nodiscard]] std::span<float> at(std::size_t layer, ChainSlot slot) const noexcept {
    return tensors_[layer][slot].span();
  }
  [[nodiscard]] std::span<const float> last_y() const noexcept { return at(chain_->size() - 1, ChainSlot::y); }
  template <class Pass>
  Status run(Pass pass);
  /// The error of what needs the outputs of forward.
  [[nodiscard]] Status check_has_run() const noexcept;
  template <class T>
  CheckSummary check(const ChainCheckOptions& options);

  std::optional<Chain> chain_;
  bool has_run_ = false;           ///< the outputs are those of this chain
  std::optional<Loss> loss_;       ///< the last dy is its gradient
  std::optional<Loss> back_loss_;  ///< the last backward began with its gradient
  std::array<Tensors, kMaxLayers> tensors_;
  std::array<Buffer<std::int32_t>, kMaxLayers> winners_;
  Buffer<float> workspace_;
  Buffer<std::int32_t> check_cells_;
  Buffer<double> check_table_;
};

}  // namespace conv2d::session
