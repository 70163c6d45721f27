#include "gradient_check/judge.hpp"

#include "gradient_check/terms.hpp"

namespace conv2d {
void Measurement::find_kink(const MovedOutput& y, std::int64_t index) noexcept {
  if (kink_.cell >= 0 && !kink_.is_near) return;
  const double above = y.above - y.other, at = y.at - y.other, below = y.below - y.other;
  const double distance = std::abs(at);
  const bool stays = (below > 0) == (above > 0) && (at > 0) == (above > 0);
  if (stays && (kink_.cell >= 0 || distance > precision_ * y.magnitude)) return;
  kink_ = {.cell = index, .is_at_value = distance <= layers::kEqual * y.magnitude, .is_near = stays};
}

void Measurement::add(const MovedOutput& y, std::int64_t index) noexcept {
  ++visited_;
  moves_ = moves_ || y.above != y.below;
  const double slope = std::abs(y.above - y.below) / width_;      // of y
  const double error = roundings_ * kUnitOfDouble * y.magnitude;  // of y
  const double change = loss_term(loss_, y.above, y.other) - loss_term(loss_, y.below, y.other);
  difference_ += change;
  size_ += std::abs(change);
  const auto [dy, curvature] = loss_slope(loss_, y.at, y.other);
  products_ += slope * (std::abs(dy) + kOutputRounding / kSumRounding * curvature * y.magnitude);
  truncation_ += curvature * slope * slope * shift_;
  if (!loss_) {
    rounding_ += std::abs(y.other) * (2 * error + kUnitOfDouble * (std::abs(y.above) + std::abs(y.below)));
    return;
  }
  const LossChecks& checks = loss_checks_of(loss_->loss);
  const LossStep step{
      .above = y.above - y.other, .below = y.below - y.other, .error = error, .half = slope * width_ / 2};
  rounding_ += checks.rounding(step);
  if (checks.has_kink) find_kink(y, index);
  if (checks.truncation) truncation_ += slope * checks.truncation(step);
}

void Measurement::add_unmoved(const MovedOutput& y, double steepest) noexcept {
  const auto [dy, curvature] = loss_slope(loss_, y.at, y.other);
  rounding_ += std::abs(dy) * std::min(steepest * width_, 2 * roundings_ * kUnitOfDouble * y.magnitude);
}

Measured Measurement::result() const noexcept {
  const auto loss = [&](double sum) { return loss_of_sum<double>(loss_, sum, outputs_); };
  return {.numeric = loss(difference_) / width_,
          .rounding = loss(rounding_ + (visited_ + 4) * kUnitOfDouble * size_) / width_,
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

}  // namespace conv2d
