#pragma once

#include <array>
#include <vector>

#include "conv2d_teach/chain.hpp"
#include "session/gradient_table.hpp"
#include "session/slots.hpp"

/// The gradient check of a chain, for the module "mistakes": a copy of the chain's inputs, without kernels. Calls that
/// need a chain return invalid_argument (field "layers") until set_problem() succeeds.
namespace conv2d::session {

/// x, target and gradient belong to the chain, the others to a layer.
enum class ChainCheckSlot { x, target, gradient, w, b };
inline constexpr std::size_t kChainCheckSlotCount = 5;

constexpr std::string_view to_string(ChainCheckSlot slot) noexcept {
  constexpr std::array<std::string_view, kChainCheckSlotCount> kNames{"x", "target", "gradient", "w", "b"};
  return kNames[static_cast<std::size_t>(slot)];
}

struct ChainCheckOptions {
  Loss loss = Loss::linear;
  std::int64_t layer = 0;
  Parameter parameter = Parameter::x;
  bool float64 = false;  ///< all arithmetic in double, on the float32 values
  double epsilon = 0;
};

class ChainCheckSession {
 public:
  /// Releases all tensors. Errors: those of resolve_chain, with the old chain unchanged.
  Status set_problem(const ChainInput& input, std::span<const LayerDesc> layers);

  /// Allocates `length` values with unspecified contents, to be written through `span`. `layer` is ignored for tensors
  /// of the chain. Errors: invalid_argument (negative length, or "layer": no such layer), out_of_memory.
  Status reserve(std::int64_t layer, ChainCheckSlot slot, std::int64_t length);
  /// Valid until the next call; empty if there is no such layer.
  [[nodiscard]] std::span<float> span(std::int64_t layer, ChainCheckSlot slot) const noexcept;

  /// The cells that gradient_check checks, to be written through `check_cells`; none: all.
  Status reserve_check_cells(std::int64_t length) { return check_cells_.reserve(length, "indices"); }
  [[nodiscard]] std::span<std::int32_t> check_cells() const noexcept { return check_cells_.span(); }
  /// Checks `gradient` through the whole chain, or that of the reference if it is empty. For Loss::linear, `target` is
  /// dy. Writes check_table (write_table). Errors: those of chain_gradient_check, out_of_memory.
  CheckSummary gradient_check(const ChainCheckOptions& options);
  [[nodiscard]] std::span<double> check_table() const noexcept { return check_table_.span(); }

 private:
  using Tensors = EnumArray<ChainCheckSlot, Buffer<float>, kChainCheckSlotCount>;

  /// The place of a slot in tensors_. Error: invalid_argument (field "layer").
  [[nodiscard]] Result<std::size_t> place_of(std::int64_t layer, ChainCheckSlot slot) const noexcept;
  [[nodiscard]] std::span<float> at(std::size_t layer, ChainCheckSlot slot) const noexcept {
    return tensors_[layer][slot].span();
  }
  template <class T>
  CheckSummary check(const ChainCheckOptions& options);

  std::vector<LayerInfo> layers_;
  std::array<Tensors, kMaxLayers> tensors_;
  Buffer<std::int32_t> check_cells_;
  Buffer<double> check_table_;
};

}  // namespace conv2d::session
