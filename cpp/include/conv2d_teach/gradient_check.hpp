#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "conv2d/config.hpp"
#include "conv2d/status.hpp"
#include "conv2d_teach/chain.hpp"
#include "conv2d_teach/losses.hpp"

/// Gradient check: compares analytic gradients with central differences (L(v + e) - L(v - e)) / 2e.
namespace conv2d {

enum class Parameter { x, w, b };

/// A tensor of a chain for its gradient check: x, w or b of a layer; x of a layer is the y of the layer before.
struct ChainParameter {
  std::size_t layer = 0;
  Parameter parameter = Parameter::x;
};

template <class T>
struct GradientCheckInputs {
  std::span<const T> x{};
  std::span<const LayerTensors<T>> layers{};  ///< w and b are read; b may be empty
  std::span<const T> dy_or_target{};          ///< of the last y: dy for the linear loss, else target
  /// The gradient to check, with the parameter's size. Empty: the gradient of the reference implementation.
  std::span<const T> gradient{};
  /// Relative precision of the sums in `gradient`: the machine epsilon of the type that computed them.
  double gradient_precision = static_cast<double>(std::numeric_limits<T>::epsilon());
};

/// Result of comparing a gradient with its difference quotient.
enum class GradientVerdict {
  confirmed,         ///< relative error at most 1e-3 in float, 1e-4 in double
  within_rounding,   ///< rounding explains the difference, and is small relative to the largest gradient
  not_at_this_step,  ///< rounding or curvature explains the difference: another step confirms the gradient
  wrong,             ///< the gradient is not the slope: they differ by more than all bounds of error allow
  at_kink,           ///< a ReLU opens or closes between v - e and v + e, or y passes its target
  at_tie,            ///< another cell of a max_pool wins at v + e than at v - e
  undecided,         ///< at no step is the slope precise enough to confirm or refute the gradient
};

/// Losses, the gradient and quotients are those of the type that is checked; a double holds each exactly. With a
/// verdict other than at_kink and at_tie there is no kink.
struct GradientCheckCell {
  std::int64_t index = 0;  ///< flat index in the parameter
  double loss_plus = 0, loss_minus = 0;
  double analytic = 0, numeric = 0;
  double absolute_error = 0;
  double relative_error = 0;  ///< |a - n| / max(|a|, |n|, smallest normal)
  /// The parts of the difference, unless the quotient alone confirms the gradient: of the rounding in the losses, and
  /// of the curvature of the loss within the step.
  double rounding = 0, truncation = 0;
  /// Bound of |a - slope| for a right gradient, at the step where the slope is known best; 0 if none was needed.
  double allowance = 0;
  GradientVerdict verdict = GradientVerdict::wrong;
  /// (L(v + e) - L(v)) / e and (L(v) - L(v - e)) / e.
  double slope_above = 0, slope_below = 0;
  /// The first layer that bends between v - e and v + e, or -1. The number of layers: the loss bends.
  std::int64_t kink_layer = -1;
  /// The loss: the flat index of the y that passes its target. ReLU: the flat index of the cell of its x that changes
  /// sign. max_pool: that of the cell of its y with another winner.
  std::int64_t kink_cell = -1;
  /// It bends at v itself: y is its target, the cell of ReLU's x is 0, or the two largest cells of a window are equal.
  /// No step avoids that.
  bool kink_at_value = false;
  /// max_pool: flat indices in its x of the two cells.
  std::int64_t winner_above = -1, winner_below = -1;
};

/// Checks the elements `indices` of a parameter (empty: all) with step `epsilon`, through the whole chain
/// (Chain::layers or resolve_chain). Values, losses and quotients are in T. Outputs are those of the reference
/// implementation (summed in double, rounded to T); losses are summed pairwise in T. In a chain of one convolution only
/// the outputs that depend on an element are recomputed: all others have the same bits in a full forward pass. In other
/// chains each element costs forward passes from its layer on. The verdict does not depend on the step: where the
/// quotient does not confirm the gradient, the slope is measured again in double at other steps, with bounds of
/// rounding and truncation. Instantiated for float and double. Errors: length_mismatch, with fields as in
/// conv2d::forward; invalid_argument (field "epsilon", "indices", "loss", or "parameter" if it is no enumerator, the
/// layer does not exist, or it has no such parameter); out_of_memory.
template <class T>
CONV2D_API Result<std::vector<GradientCheckCell>> gradient_check(std::span<const LayerInfo> layers,
                                                                 std::string_view loss, const ChainParameter& parameter,
                                                                 const GradientCheckInputs<T>& in, T epsilon,
                                                                 std::span<const std::int64_t> indices);

}  // namespace conv2d
