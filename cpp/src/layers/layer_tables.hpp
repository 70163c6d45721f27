#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <tuple>

#include "conv2d/conv2d.hpp"
#include "conv2d_teach/chain.hpp"
#include "conv2d_teach/gradient_check.hpp"
#include "layer_kernels/layer_kernels.hpp"

/// The tables of kinds of layers: how each follows from its description (Rules), runs (Runner), and is checked
/// (Checks).
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
  std::int64_t cell = -1;    ///< as GradientCheckCell::kink_cell; -1: nowhere
  bool is_at_value = false;  ///< at v itself, so that no step avoids it
  bool is_near = false;      ///< beside the step, but closer to it than the rounding of the gradient
  std::int64_t winner_below = -1, winner_above = -1;
};

/// Two cells closer than this, relative to their magnitudes, are equal: their distance is the rounding of double.
inline constexpr double kEqual = 0x1p-48;

/// What is particular to a kind, without its kernels and references: code that only describes layers links neither.
struct Rules {
  std::string_view name;
  std::span<const LayerOptionRule> options{};
  bool has_weights = false;
  bool is_transposed = false;  ///< as in LayerInfo
  bool has_winners = false;
  std::optional<Clamp> clamp{};  ///< its function, if it is a clamp with which backward can read y in place of x
  bool bends = false;      ///< its function has kinks, where it depends on the order of equal or nearly equal values
  Operands backward_data;  ///< as operands_of
  /// LayerInfo::geometry; n, h, w, c and layout of `windows` are those of x. Errors as for conv2d::resolve.
  Result<Geometry> (*resolve)(const ConvDesc& windows, const LayerOptions& options) noexcept = nullptr;
  /// Null: a run needs no workspace, or its plan says how much.
  std::int64_t (*workspace_floats)(const Geometry& g) noexcept = nullptr;
};

/// How a kind is computed by plain loops, and checked.
struct Checks {
  GradientVerdict verdict_at_kink = GradientVerdict::wrong;  ///< if `bend` is not null
  /// Finds the first bend within a step, also one that rounding can bring about. Null for a linear layer.
  Bend (*bend)(const LayerInfo& info, const Step& step) noexcept = nullptr;
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

/// A layer without weights that is ready to run. All references outlive the run.
struct Prepared {
  const LayerInfo& info;
  const layer_kernels::LayerKernels& kernels;
  float* workspace = nullptr;  ///< LayerInfo::workspace_floats
};

/// How the layers of a kind run. Without weights: the passes forward and backward_data; precondition: the operands of
/// the pass have their lengths. With weights: by a plan of each pass.
struct Runner {
  void (*forward)(const Prepared& layer, const Run<float>& run) noexcept = nullptr;
  void (*backward)(const Prepared& layer, const Run<float>& run) noexcept = nullptr;
  Result<Plan> (*plan)(const Geometry& g, Pass pass, const PlanOptions& options) = nullptr;
  Status (*run)(const Plan& plan, const Tensors& tensors, const Resources& resources) noexcept = nullptr;
};

// The tables of each kind are defined in its file.

struct Conv {
  static const Rules kRules;
  static const Checks kChecks;
  static const Runner kRunner;
};
struct ConvTranspose {
  static const Rules kRules;
  static const Checks kChecks;
  static const Runner kRunner;
};
struct Relu {
  static const Rules kRules;
  static const Checks kChecks;
  static const Runner kRunner;
};
struct LeakyRelu {
  static const Rules kRules;
  static const Checks kChecks;
  static const Runner kRunner;
};
struct MaxPool {
  static const Rules kRules;
  static const Checks kChecks;
  static const Runner kRunner;
};
struct AveragePool {
  static const Rules kRules;
  static const Checks kChecks;
  static const Runner kRunner;
};

/// All kinds, in the order of layer_kinds().
using Kinds = std::tuple<Conv, ConvTranspose, Relu, LeakyRelu, MaxPool, AveragePool>;

/// The place of a kind in that list, or the number of kinds if there is none.
std::size_t index_of(std::string_view kind) noexcept;
/// The rules of a kind; null if there is none.
const Rules* rules_of(std::string_view kind) noexcept;
inline const Rules& rules_of(const LayerInfo& info) noexcept { return *rules_of(info.kind); }
const Checks& checks_of(const LayerInfo& info) noexcept;
const Runner& runner_of(const LayerInfo& info) noexcept;

/// The field of a layer for Status::field: "layers[2].kh". `name` is a member of ConvDesc or a tensor; "layers[2]" for
/// other names. Static storage. Precondition: layer < kMaxLayers.
std::string_view field_of(std::size_t layer, std::string_view name) noexcept;
/// The error of layer i, with its place in front of the field and of the message.
Status in_layer(std::size_t i, std::string_view kind, const Status& status) noexcept;

}  // namespace conv2d::layers
