#pragma once

#include <cstddef>
#include <string_view>
#include <type_traits>

#include "conv2d_teach/losses.hpp"

/// The tables of losses: what each computes (Entry), and how a gradient check of it is bounded (Checks). A loss is a
/// struct in a file of its own, listed in loss_list.hpp; its members have the names of the members of both tables.
namespace conv2d::losses {

/// The largest relative error of one rounding in double.
inline constexpr double kUnitOfDouble = 0x1p-53;

/// The loss is the sum of a term of each difference d = y - target, divided by `divisor` * y_size. Without terms it is
/// the linear loss sum(y * dy), where dy takes the place of a target.
struct Entry {
  std::string_view name;
  float (*term_float)(float d) noexcept = nullptr;
  double (*term_double)(double d) noexcept = nullptr;
  double (*slope)(double d) noexcept = nullptr;  ///< of the term
  int divisor = 1;
  bool has_kink = false;  ///< the slope jumps where y is the target

  [[nodiscard]] bool is_linear() const noexcept { return slope == nullptr; }

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
struct Checks {
  double curvature = 0;  ///< the largest second derivative of the term
  /// Of the rounding of the difference of both terms.
  double (*rounding)(const LossStep& step) noexcept = nullptr;
  /// Of |slope of the chord - slope at v|. Null: there is none.
  double (*truncation)(const LossStep& step) noexcept = nullptr;
};

/// The members that a loss need not have.
struct Defaults {
  static constexpr int kDivisor = 1;
  static constexpr bool kHasKink = false;
  static constexpr double kCurvature = 0;
  static constexpr double (*truncation)(const LossStep& step) noexcept = nullptr;
};

/// Null: there is none of this name.
const Entry* find(std::string_view name) noexcept;
Status no_such_loss() noexcept;
/// Precondition: the loss is not linear.
const Checks& checks_of(const Entry& entry) noexcept;

}  // namespace conv2d::losses
