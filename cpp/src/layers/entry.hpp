#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "conv2d/conv2d.hpp"
#include "conv2d_teach/chain.hpp"
#include "layer_kernels/layer_kernels.hpp"

/// The table of kinds of layers: how each follows from its description, and how it runs.
namespace conv2d::layers {

/// The tensors of one layer's run. x is the y of the layer before, dx the dy of that layer. Gradients may be empty:
/// they are not computed.
template <class T>
struct Run {
  std::span<const T> x{}, w{}, b{};
  std::span<T> y{};
  std::span<std::int32_t> winners{};
  std::span<const T> dy{};
  std::span<T> dx{}, dw{}, db{};
};

/// A layer that is ready to run.
struct Prepared {
  LayerInfo info;
  const layer_kernels::LayerKernels* kernels = nullptr;
  std::array<std::optional<Plan>, 4> plans{};  ///< by Pass; of a convolution only
};

/// Plain loops with double accumulators; T is float or double.
template <class T>
struct Reference {
  void (*forward)(const LayerInfo& info, const Run<T>& run) = nullptr;
  void (*backward)(const LayerInfo& info, const Run<T>& run) = nullptr;
};

/// Three runs of a layer's forward, with one element at v - e, v and v + e.
struct Step {
  const Run<double>& below;
  const Run<double>& at;
  const Run<double>& above;
  std::span<const double> magnitudes;  ///< of x: the sum of |products| behind each cell
  std::span<const double> reach;       ///< of y: 0 where a cell does not reach the loss
  double precision;                    ///< rounding of x in the gradient, relative to the magnitudes
};

/// Where a layer's function bends within a step.
struct Bend {
  std::int64_t cell = -1;    ///< as ChainCheckCell::kink_cell; -1: nowhere
  bool is_at_value = false;  ///< at v itself, so that no step avoids it
  bool is_near = false;      ///< beside the step, but closer to it than the rounding of the gradient
  std::int64_t winner_below = -1, winner_above = -1;
};

/// Two cells closer than this, relative to their magnitudes, are equal: their distance is the rounding of double.
inline constexpr double kEqual = 0x1p-48;

struct Entry {
  LayerKind kind = LayerKind::conv;
  std::string_view name;
  bool has_weights = false;
  bool has_winners = false;
  bool rounds = false;                                       ///< its y is computed, not only chosen, from x
  GradientVerdict verdict_at_kink = GradientVerdict::wrong;  ///< if `bend` is not null
  /// Finds the first bend within a step, also one that rounding can bring about. Null for a linear layer.
  Bend (*bend)(const LayerInfo& info, const Step& step) noexcept = nullptr;
  /// Checks and completes the description of its windows; n, h, w, c and layout are those of x. Errors as for
  /// `resolve`.
  Status (*complete)(ConvDesc& windows) noexcept = nullptr;
  /// Adds plans and workspace. Null if there are none.
  Status (*prepare)(Prepared& layer, const PlanOptions& options) = nullptr;
  Status (*forward)(const Prepared& layer, const Run<float>& run, const Resources& resources) noexcept = nullptr;
  Status (*backward)(const Prepared& layer, const Run<float>& run, const Resources& resources) noexcept = nullptr;
  Reference<float> reference_float;
  Reference<double> reference_double;

  template <class T>
  [[nodiscard]] const Reference<T>& reference() const noexcept {
    if constexpr (sizeof(T) == sizeof(float)) {
      return reference_float;
    } else {
      return reference_double;
    }
  }
};

extern const Entry kConv, kRelu, kMaxPool, kAveragePool;

/// The entry of a kind; null if it is no enumerator.
const Entry* entry_of(LayerKind kind) noexcept;
inline const Entry& entry_of(const LayerInfo& info) noexcept { return *entry_of(info.desc.kind); }

/// The field of a layer for Status::field: "layers[2].kh". `name` is a member of ConvDesc or a tensor; "layers[2]" for
/// other names. Static storage. Precondition: layer < kMaxLayers.
std::string_view field_of(std::size_t layer, std::string_view name) noexcept;

}  // namespace conv2d::layers
