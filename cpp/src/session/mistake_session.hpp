#pragma once

#include <optional>

#include "conv2d/conv_desc.hpp"
#include "conv2d_teach/layers.hpp"
#include "conv2d_teach/numeric.hpp"
#include "mistakes/ambiguous.hpp"
#include "mistakes/compare.hpp"
#include "mistakes/diagnose.hpp"
#include "mistakes/layers.hpp"
#include "session/buffer.hpp"

/// A session of the module "mistakes": a copy of one problem, and the functions of mistakes/ on it.
namespace conv2d::session {

/// Tensors of the session. x, w, b, dy: inputs. wrong, difference: written by `apply`. measured: slopes, read by
/// `compare_gradient`. user_result, expected: read by `subtract`, which writes `difference`. magnitudes: read by
/// `rounding`.
enum class MistakeSlot { x, w, b, dy, wrong, difference, measured, user_result, expected, magnitudes };
inline constexpr std::size_t kMistakeSlotCount = 10;

/// A result of mistakes/ with its status; default values after an error.
template <class T>
struct WithStatus : T {
  Status status;
};
using DiagnosisResult = WithStatus<mistakes::Diagnosis>;
using AppliedMistakeResult = WithStatus<mistakes::AppliedMistake>;
using GradientComparisonResult = WithStatus<mistakes::GradientComparison>;
using DifferenceResult = WithStatus<mistakes::Difference>;
using AmbiguityResult = WithStatus<mistakes::Ambiguity>;

class MistakeSession {
 public:
  /// A layer with its x: windows also has n, h, w, c and layout. Errors: those of resolve_chain.
  Status set_problem(const LayerDesc& desc);
  /// Allocates `length` values of a tensor with unspecified contents, to be written through `span`.
  Status reserve(MistakeSlot slot, std::int64_t length);
  [[nodiscard]] std::span<float> span(MistakeSlot slot) const noexcept { return tensors_[slot].span(); }
  [[nodiscard]] TensorStats stats(MistakeSlot slot) const noexcept { return tensor_stats(span(slot)); }

  /// Which mistakes give `value` +- `precision` for a cell of a result: indices into mistakes::list(), for a layer
  /// that is no convolution into layer_mistakes().
  DiagnosisResult diagnose(Pass pass, std::int64_t cell, double value, double precision) const;
  /// Computes a pass with mistake `index` of mistakes::list().
  AppliedMistakeResult apply(Pass pass, int index);
  /// Compares `wrong` with `measured`.
  [[nodiscard]] GradientComparisonResult compare_gradient() const;
  /// Writes user_result - expected to `difference`.
  DifferenceResult subtract();
  /// Whether a mistake gives the right value of a cell, so that a question about it does not show the mistake.
  AmbiguityResult ambiguity(Pass pass, std::int64_t cell) const;
  Status drop_signs(MistakeSlot slot);
  /// Largest rounding error of any algorithm, from `magnitudes`.
  [[nodiscard]] double rounding() const noexcept;

 private:
  [[nodiscard]] mistakes::Inputs inputs() const noexcept;
  // Precondition: layer_ is set.
  [[nodiscard]] mistakes::LayerProblem layer() const;

  std::optional<LayerInfo> layer_;
  EnumArray<MistakeSlot, Buffer<float>, kMistakeSlotCount> tensors_;
};

}  // namespace conv2d::session
