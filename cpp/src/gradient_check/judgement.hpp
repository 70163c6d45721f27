#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <type_traits>
#include <vector>

#include "base/errors.hpp"
#include "conv2d_teach/gradient_check.hpp"
#include "layers/layer_tables.hpp"
#include "losses/loss_tables.hpp"

/// How a gradient is compared with its difference quotient.
///
/// The quotient of a check is computed in T, as the check's user would. Where it does not confirm the gradient, the
/// judgement measures the slope again: with sums in double, with steps of its own, and with a bound of the error of
/// each measurement. A gradient is wrong only if it is outside such a bound.
namespace conv2d {

/// Relative error up to which a cell is confirmed.
template <class T>
inline constexpr double kTolerance = std::is_same_v<T, float> ? 1e-3 : 1e-4;
/// Rounding of a sum of products in a gradient, in units of precision * sum of |products|. Of random data the largest
/// error of Winograd F(4x4) is 56; plain sums have less.
inline constexpr double kSumRounding = 64;
/// The same of an output that dy is computed from: those are computed by plain sums.
inline constexpr double kOutputRounding = 4;

/// One output that the changed element can move. Its values are sums in double.
struct MovedOutput {
  double below = 0, at = 0, above = 0;  ///< at v - e, v, v + e
  double magnitude = 0;                 ///< sum of |products| behind the largest of them
  double rounding = 0;                  ///< of `at` where a gradient is computed from it, in units of its precision
  double other = 0;                     ///< element of dy or target
};

/// The slope of the loss over one step, and bounds of its errors.
struct Measured {
  double numeric = 0;         ///< (L(v + e) - L(v - e)) / 2e
  double rounding = 0;        ///< bound of the rounding of `numeric`
  double truncation = 0;      ///< bound of |slope of the chord - slope at v|
  double products = 0;        ///< sum of |products| behind the gradient, and what the rounding of y adds to it
  double allowance = 0;       ///< bound of the rounding of the gradient itself
  bool moves = false;         ///< an output has another value at the ends of the step
  bool bends = false;         ///< a layer or the loss bends within the step: the bounds do not hold
  bool has_no_slope = false;  ///< it bends at v itself: so does every step
  bool may_bend = false;      ///< the gradient can be that of the other side of a bend

  [[nodiscard]] double bound() const noexcept { return rounding + truncation + allowance; }
};

/// Sums a step over the outputs that it can move.
class Measurement {
 public:
  /// `roundings`: of one output, each at most 2^-53 of its magnitude. `divisor`: of the loss. The element is moved
  /// from `value` to `below` and `above`; `shift`: bound of the distance of their mean from `value`. `precision`: of
  /// an output that a gradient is computed from.
  Measurement(const losses::Entry& loss, double roundings, std::size_t divisor, double below, double above,
              double shift, double precision) noexcept
      : loss_(loss),
        roundings_(roundings),
        divisor_(divisor),
        width_(above - below),
        shift_(shift),
        precision_(precision) {}

  /// `index`: flat, of the output.
  void add(const MovedOutput& y, std::int64_t index) noexcept;
  /// The outputs of a position, of which the step moves one or more; `rounding`: of one where a gradient is computed
  /// from it, in units of precision * magnitude.
  void add_position(const losses::Channels& below, const losses::Channels& at, const losses::Channels& above,
                    const losses::Channels& magnitude, const losses::Channels& target, double rounding) noexcept;
  /// An output that the step does not move; `slope`: of the loss, `steepest`: bound of the slope of the output.
  void add_unmoved(double slope, double magnitude, double steepest) noexcept;
  [[nodiscard]] Measured result() const noexcept;
  /// The first kink of the loss among the outputs that were added: where y passes its target.
  [[nodiscard]] const layers::Bend& kink() const noexcept { return kink_; }

 private:
  void find_kink(const MovedOutput& y, std::int64_t index) noexcept;

  const losses::Entry& loss_;
  double roundings_;
  std::size_t divisor_;
  double width_, shift_, precision_;
  double visited_ = 0;  ///< number of outputs
  bool moves_ = false;
  double difference_ = 0, size_ = 0, rounding_ = 0, truncation_ = 0, products_ = 0;
  layers::Bend kink_;
};

/// What a judgement finds in a gradient, whatever the step of the check.
enum class Finding { right, wrong, unknown };

/// Measures a cell at steps of its own.
class Judgement {
 public:
  /// `tolerance`: relative; `largest`: of the whole gradient.
  Judgement(double analytic, double tolerance, double largest) noexcept
      : analytic_(analytic), tolerance_(tolerance), largest_(largest) {}

  /// Measures at `epsilon`, then from `scale` down, until a measurement decides or the bounds no longer fall.
  template <class Measure>
  void run(double epsilon, double scale, Measure measure) noexcept {
    own_ = measure(epsilon);
    double step = scale;
    for (bool goes_on = consider(own_); goes_on && step > scale * kLeastStep;) {
      const Measured next = measure(step);
      goes_on = consider(next);
      step /= next.bends ? kStride * kStride : kStride;
    }
  }

  /// Whether a quotient that confirms the gradient is believed: the slope in double is near, too. A quotient of float
  /// losses agrees with a wrong gradient by chance once in some thousand cells.
  [[nodiscard]] bool believes(const GradientCheckCell& cell) const noexcept;
  /// Sets the verdict on a cell without a bend, and the parts of its error.
  void write(GradientCheckCell& cell) const noexcept;
  [[nodiscard]] bool has_no_slope() const noexcept { return has_no_slope_; }

 private:
  static constexpr double kStride = 8;
  static constexpr double kLeastStep = 1e-13;

  /// False: it decides, or more steps cannot.
  bool consider(const Measured& measured) noexcept;

  double analytic_, tolerance_, largest_;
  Finding finding_ = Finding::unknown;
  Measured own_;   ///< at the step of the check
  Measured best_;  ///< the one with the smallest bound
  double least_ = std::numeric_limits<double>::infinity();
  int worse_ = 0;
  bool has_no_slope_ = false;
  bool moves_ = false;  ///< an output, at any step
};

/// The largest |value| that is finite.
template <class T>
[[gnu::always_inline]] inline double largest_of(std::span<const T> values) noexcept {
  double largest = 0;
  for (const T value : values) {
    const double magnitude = std::abs(static_cast<double>(value));
    if (std::isfinite(magnitude)) largest = std::max(largest, magnitude);
  }
  return largest;
}

/// The first step of a judgement: a power of two that is at least the largest |value|.
template <class T>
[[gnu::always_inline]] inline double scale_of(std::span<const T> values) noexcept {
  const double largest = largest_of(values);
  return largest > 0 ? std::exp2(std::ceil(std::log2(largest))) : 1.0;
}

/// Rounding of a loss, in units of its last digit.
inline constexpr double kLastDigits = 16;

/// How many tolerances the slope in double may be away from a gradient that the quotient confirms.
inline constexpr double kKnown = 4;

/// Whether a bend can explain the verdict. If a shorter step has shown that the gradient is wrong, it cannot.
constexpr bool is_doubtful(GradientVerdict verdict) noexcept {
  return verdict == GradientVerdict::not_at_this_step || verdict == GradientVerdict::undecided;
}

}  // namespace conv2d
