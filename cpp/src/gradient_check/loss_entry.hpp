#pragma once

#include <span>
#include <string_view>
#include <type_traits>

#include "conv2d_teach/losses.hpp"

/// The tables of losses between y and a target: what each computes (LossEntry), and how a gradient check of it is
/// bounded (LossChecks). Loss::linear is in neither: its dy is given.
namespace conv2d {

/// The loss is the sum of a term of each difference d = y - target, divided by `divisor` * y_size.
struct LossEntry {
  Loss loss = Loss::linear;
  std::string_view name;
  float (*term_float)(float d) noexcept = nullptr;
  double (*term_double)(double d) noexcept = nullptr;
  double (*slope)(double d) noexcept = nullptr;  ///< of the term
  int divisor = 1;

  template <class T>
  [[nodiscard]] T term(T d) const noexcept {
    if constexpr (std::is_same_v<T, float>) {
      return term_float(d);
    } else {
      return term_double(d);
    }
  }
};

/// Differences at both ends of a step, and a bound of the rounding of each.
struct LossStep {
  double above = 0, below = 0;
  double error = 0;
  double half = 0;  ///< half of the distance of the ends
};

/// Bounds for a gradient check.
struct LossChecks {
  double curvature = 0;  ///< the largest second derivative of the term
  /// Of the rounding of the difference of both terms.
  double (*rounding)(const LossStep& step) noexcept = nullptr;
  /// Of |slope of the chord - slope at v|. Null: there is none.
  double (*truncation)(const LossStep& step) noexcept = nullptr;
  bool has_kink = false;  ///< the slope jumps where y is the target
};

/// The largest relative error of one rounding in double.
inline constexpr double kUnitOfDouble = 0x1p-53;

extern const LossEntry kMse, kLogCosh, kAbsoluteError;
extern const LossChecks kMseChecks, kLogCoshChecks, kAbsoluteErrorChecks;

/// Null for Loss::linear, and if it is no enumerator.
const LossEntry* entry_of(Loss loss) noexcept;
/// Precondition: the loss has an entry.
const LossChecks& loss_checks_of(Loss loss) noexcept;

}  // namespace conv2d
