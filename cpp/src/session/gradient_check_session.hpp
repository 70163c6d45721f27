#pragma once

#include <array>
#include <string>
#include <vector>

#include "conv2d_teach/gradient_check.hpp"
#include "session/buffer.hpp"
#include "session/slots.hpp"

/// The gradient check of a chain, for the module "mistakes": a copy of the chain's inputs, without kernels. Calls that
/// need a chain return invalid_argument (field "layers") until set_problem() succeeds.
namespace conv2d::session {

/// x, target and gradient belong to the chain, the others to a layer.
enum class CheckSlot { x, target, gradient, w, b };
inline constexpr std::size_t kCheckSlotCount = 5;

constexpr std::string_view to_string(CheckSlot slot) noexcept {
  constexpr std::array<std::string_view, kCheckSlotCount> kNames{"x", "target", "gradient", "w", "b"};
  return kNames[static_cast<std::size_t>(slot)];
}

struct CheckOptions {
  std::string loss = "linear";
  std::int64_t layer = 0;
  Parameter parameter = Parameter::x;
  bool float64 = false;  ///< all arithmetic in double, on the float32 values
  double epsilon = 0;
};

/// The largest errors of a check; NaN if any is NaN. Both ignore cells at a kink and at a tie, max_relative_error also
/// those within rounding.
struct CheckSummary {
  Status status;
  std::int64_t cells = 0;
  double max_absolute_error = 0, max_relative_error = 0;
  /// The worst GradientVerdict: wrong, then undecided, not_at_this_step, at_tie, at_kink, within_rounding, confirmed.
  std::int64_t verdict = 0;
};

class GradientCheckSession {
 public:
  /// Releases all tensors. Errors: those of resolve_chain, with the old chain unchanged.
  Status set_problem(ChainDesc desc, std::span<const LayerDesc> layers);

  /// Allocates `length` values with unspecified contents, to be written through `span`. `layer` is ignored for tensors
  /// of the chain. Errors: invalid_argument (negative length, or "layer": no such layer), out_of_memory.
  Status reserve(std::int64_t layer, CheckSlot slot, std::int64_t length);
  /// Valid until the next call; empty if there is no such layer.
  [[nodiscard]] std::span<float> span(std::int64_t layer, CheckSlot slot) const noexcept;

  /// The cells that gradient_check checks, to be written through `cells`; none: all.
  Status reserve_cells(std::int64_t length) { return cells_.reserve(length, "indices"); }
  [[nodiscard]] std::span<std::int32_t> cells() const noexcept { return cells_.span(); }
  /// Checks `gradient`, or that of the reference if it is empty. For the linear loss, `target` is dy. Writes a table
  /// with one column per checked cell and 17 rows, in this order: index, loss_plus, loss_minus, analytic, numeric,
  /// absolute_error, relative_error, rounding, truncation, verdict, kink_layer, kink_cell, kink_at_value (0 or 1),
  /// winner_above, winner_below, slope_above, slope_below. Errors: those of conv2d::gradient_check, out_of_memory.
  CheckSummary gradient_check(const CheckOptions& options);
  [[nodiscard]] std::span<double> table() const noexcept { return table_.span(); }

 private:
  using Tensors = EnumArray<CheckSlot, Buffer<float>, kCheckSlotCount>;

  /// The place of a slot in tensors_. Error: invalid_argument (field "layer").
  [[nodiscard]] Result<std::size_t> place_of(std::int64_t layer, CheckSlot slot) const noexcept;
  [[nodiscard]] std::span<float> at(std::size_t layer, CheckSlot slot) const noexcept {
    return tensors_[layer][slot].span();
  }
  template <class T>
  CheckSummary check(const CheckOptions& options);
  CheckSummary write_table(const std::vector<GradientCheckCell>& cells);

  std::vector<LayerInfo> layers_;
  std::array<Tensors, kMaxLayers> tensors_;
  Buffer<std::int32_t> cells_;
  Buffer<double> table_;
};

}  // namespace conv2d::session
