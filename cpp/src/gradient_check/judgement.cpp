#include "gradient_check/judgement.hpp"

#include "losses/terms.hpp"

namespace conv2d {
void Measurement::find_kink(const MovedOutput& y, std::int64_t index) noexcept {
  if (kink_.cell >= 0 && !kink_.is_near) return;
  const double above = y.above - y.other, at = y.at - y.other, below = y.below - y.other;
  const double distance = std::abs(at);
  const bool stays = (below > 0) == (above > 0) && (at > 0) == (above > 0);
  if (stays && (kink_.cell >= 0 || distance > precision_ * y.rounding)) return;
  kink_ = {.cell = index, .is_at_value = distance <= layers::kEqual * y.magnitude, .is_near = stays};
}

void Measurement::add(const MovedOutput& y, std::int64_t index) noexcept {
  ++visited_;
  moves_ = moves_ || y.above != y.below;
  const double slope = std::abs(y.above - y.below) / width_;              // of y
  const double error = roundings_ * losses::kUnitOfDouble * y.magnitude;  // of y
  const double change = losses::term_of(loss_, y.above, y.other) - losses::term_of(loss_, y.below, y.other);
  difference_ += change;
  size_ += std::abs(change);
  const auto [dy, curvature] = losses::slope_of(loss_, y.at, y.other);
  products_ += slope * (std::abs(dy) + curvature * y.rounding / kSumRounding);
  truncation_ += curvature * slope * slope * shift_;
  if (loss_.is_linear()) {
    rounding_ += std::abs(y.other) * (2 * error + losses::kUnitOfDouble * (std::abs(y.above) + std::abs(y.below)));
    return;
  }
  const losses::LossStep step{
      .above = y.above - y.other, .below = y.below - y.other, .error = error, .half = slope * width_ / 2};
  const losses::Checks& checks = losses::checks_of(loss_);
  rounding_ += checks.rounding(step);
  if (loss_.has_kink) find_kink(y, index);
  if (checks.truncation) truncation_ += slope * checks.truncation(step);
}

void Measurement::add_position(const losses::Channels& below, const losses::Channels& at, const losses::Channels& above,
                               const losses::Channels& magnitude, const losses::Channels& target,
                               double rounding) noexcept {
  ++visited_;
  moves_ = true;
  const losses::PositionBounds bounds = losses::checks_of(loss_).bounds({.below = below,
                                                                         .at = at,
                                                                         .above = above,
                                                                         .magnitude = magnitude,
                                                                         .target = target,
                                                                         .width = width_,
                                                                         .shift = shift_,
                                                                         .error = roundings_ * losses::kUnitOfDouble,
                                                                         .precision = rounding / kSumRounding});
  difference_ += bounds.change;
  size_ += std::abs(bounds.change);
  rounding_ += bounds.rounding;
  truncation_ += bounds.truncation;
  products_ += bounds.products;
}

void Measurement::add_unmoved(double slope, double magnitude, double steepest) noexcept {
  rounding_ += std::abs(slope) * std::min(steepest * width_, 2 * roundings_ * losses::kUnitOfDouble * magnitude);
}

Measured Measurement::result() const noexcept {
  const auto loss = [&](double sum) { return losses::of_sum<double>(sum, divisor_); };
  return {.numeric = loss(difference_) / width_,
          .rounding = loss(rounding_ + (visited_ + 4) * losses::kUnitOfDouble * size_) / width_,
          .truncation = loss(truncation_),
          .products = loss(products_),
          .moves = moves_,
          .bends = kink_.cell >= 0 && !kink_.is_near,
          .has_no_slope = kink_.is_at_value,
          .may_bend = kink_.is_near};
}

bool Judgement::consider(const Measured& measured) noexcept {
  moves_ = moves_ || measured.moves;
  if (measured.has_no_slope) {
    has_no_slope_ = true;
    return false;
  }
  const double bound = measured.bound();
  if (measured.bends || !std::isfinite(measured.numeric) || !std::isfinite(bound)) return true;
  const double difference = std::abs(analytic_ - measured.numeric);
  const double numeric = std::abs(measured.numeric);
  if (bound < least_) {
    least_ = bound;
    best_ = measured;
    worse_ = 0;
  } else if (measured.truncation < bound / 2) {
    ++worse_;  // shorter steps only add rounding
  }
  // The negation holds for NaN, too.
  if (!(difference <= bound) && !(difference <= tolerance_ * std::max(std::abs(analytic_), numeric))) {
    if (measured.may_bend) return worse_ < 2;
    best_ = measured;
    finding_ = Finding::wrong;
  } else if (bound <= tolerance_ * std::max(numeric, largest_)) {
    finding_ = Finding::right;
  }
  return finding_ == Finding::unknown && worse_ < 2;
}

bool Judgement::believes(const GradientCheckCell& cell) const noexcept {
  if (finding_ != Finding::unknown) return finding_ == Finding::right;
  return !moves_ || std::abs(cell.analytic - best_.numeric) <= kKnown * tolerance_ * std::abs(cell.numeric);
}

void Judgement::write(GradientCheckCell& cell) const noexcept {
  cell.allowance = best_.bound();
  if (std::isfinite(own_.numeric)) {
    cell.rounding = std::max(std::abs(cell.numeric - own_.numeric), own_.rounding);
    cell.truncation = std::abs(own_.numeric - best_.numeric);
  } else {
    cell.rounding = cell.absolute_error;  // v + e and v - e are the same number
  }
  if (finding_ == Finding::wrong) {
    cell.verdict = GradientVerdict::wrong;
  } else if (finding_ == Finding::unknown) {
    // Where no step moves an output, no measurement is small beside the gradient.
    const bool is_flat = !moves_ && cell.relative_error <= tolerance_;
    cell.verdict = is_flat ? GradientVerdict::confirmed : GradientVerdict::undecided;
  } else if (cell.relative_error <= tolerance_) {
    cell.verdict = GradientVerdict::confirmed;
  } else {
    cell.verdict = cell.absolute_error <= tolerance_ * largest_ && cell.truncation <= cell.rounding
                       ? GradientVerdict::within_rounding
                       : GradientVerdict::not_at_this_step;
  }
}

}  // namespace conv2d
