#pragma once

#include <cstddef>
#include <span>
#include <string_view>
#include <type_traits>

#include "conv2d_teach/losses.hpp"

/// The tables of losses: what each computes (Entry), and how a gradient check of it is bounded (Checks). A loss is a
/// struct in a file of its own, listed in loss_list.hpp; its members have the names of the members of both tables.
/// absolute_error.hpp is an example of the form per cell, cross_entropy.hpp of that per position.
namespace conv2d::losses {

/// The largest relative error of one rounding in double.
inline constexpr double kUnitOfDouble = 0x1p-53;

/// The elements of a tensor at the channels of one position, in double. Not inlined: there are dozens of reads, and the
/// page downloads them.
class Channels {
 public:
  template <class T>
  Channels(std::span<const T> values, const LossChannels& of, std::size_t position) noexcept
      : count_(of.count), stride_(of.stride), first_(first(of, position)) {
    if constexpr (std::is_same_v<T, float>) {
      floats_ = values.data();
    } else {
      doubles_ = values.data();
    }
  }

  [[nodiscard]] std::size_t count() const noexcept { return count_; }
  /// The flat index of channel c in the tensor.
  [[nodiscard]] std::size_t index(std::size_t c) const noexcept { return first_ + c * stride_; }
  [[nodiscard, gnu::noinline]] double operator[](std::size_t c) const noexcept {
    return floats_ ? static_cast<double>(floats_[index(c)]) : doubles_[index(c)];
  }

 private:
  [[gnu::noinline]] static std::size_t first(const LossChannels& of, std::size_t position) noexcept {
    return position / of.stride * of.stride * of.count + position % of.stride;
  }

  const float* floats_ = nullptr;
  const double* doubles_ = nullptr;
  std::size_t count_, stride_, first_;
};

/// What the terms of a position have in common. Of cross_entropy: with the largest y, the sum of e^(y - largest) over
/// the other channels, log of the sum over all, and the sum of the targets.
struct PositionSums {
  double largest = 0, others = 0, log_total = 0, target = 0;
};

/// As the members of LossCell.
struct PositionCell {
  double largest = 0, power = 0, total = 0, share = 0;
};

/// A loss has one of two forms. Per cell it is the sum of a term of each difference d = y - target, divided by
/// `divisor` * y_size. Per position it is the sum of a term of each y and target that also depends on the sums over the
/// channels of its position, divided by the number of positions. Without terms it is the linear loss sum(y * dy), where
/// dy takes the place of a target.
struct Entry {
  std::string_view name;
  float (*term_float)(float d) noexcept = nullptr;
  double (*term_double)(double d) noexcept = nullptr;
  double (*slope)(double d) noexcept = nullptr;  ///< of the term
  int divisor = 1;
  bool has_kink = false;  ///< the slope jumps where y is the target

  PositionSums (*sums)(const Channels& y, const Channels& target) noexcept = nullptr;
  double (*term_at)(const PositionSums& sums, double y, double target) noexcept = nullptr;
  double (*slope_at)(const PositionSums& sums, double y, double target) noexcept = nullptr;
  PositionCell (*cell)(const PositionSums& sums, double y) noexcept = nullptr;
  bool (*accepts)(const Channels& target) noexcept = nullptr;
  const char* target = "";  ///< what it accepts

  [[nodiscard]] bool is_per_position() const noexcept { return sums != nullptr; }
  [[nodiscard]] bool is_linear() const noexcept { return !slope && !sums; }

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

/// The outputs of one position at both ends of a step and between them.
struct PositionStep {
  Channels below, at, above;
  Channels magnitude;  ///< sum of |products| behind the largest of them
  Channels target;
  double width = 0;      ///< distance of the ends
  double shift = 0;      ///< bound of the distance of their mean from the value
  double error = 0;      ///< bound of the rounding of an output at an end, relative to its magnitude
  double precision = 0;  ///< the same where a gradient is computed from it, in units of the rounding of the gradient
};

/// The change of the term of a position in a step; bounds of its rounding, and of |slope of the chord - slope at v|;
/// the sum of |products| behind the gradient, and what the rounding of y adds to it.
struct PositionBounds {
  double change = 0, rounding = 0, truncation = 0, products = 0;
};

/// Bounds for a gradient check.
struct Checks {
  double curvature = 0;  ///< the largest second derivative of the term
  /// Of the rounding of the difference of both terms.
  double (*rounding)(const LossStep& step) noexcept = nullptr;
  /// Of |slope of the chord - slope at v|. Null: there is none.
  double (*truncation)(const LossStep& step) noexcept = nullptr;
  /// Of a form per position: bound of the change of the slope, divided by the largest change of a y of the position.
  double (*curvature_at)(const PositionSums& sums, double y) noexcept = nullptr;
  PositionBounds (*bounds)(const PositionStep& step) noexcept = nullptr;
};

/// The members that a loss need not have.
struct Defaults {
  static constexpr bool kIsPerPosition = false;
  static constexpr int kDivisor = 1;
  static constexpr bool kHasKink = false;
  static constexpr double kCurvature = 0;
  static constexpr double (*truncation)(const LossStep& step) noexcept = nullptr;
};

/// The same of a form per position.
struct PositionDefaults {
  static constexpr bool kIsPerPosition = true;
};

/// Null: there is none of this name.
const Entry* find(std::string_view name) noexcept;
Status no_such_loss() noexcept;
/// Precondition: the loss is not linear.
const Checks& checks_of(const Entry& entry) noexcept;

}  // namespace conv2d::losses
