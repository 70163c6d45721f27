#include "conv2d_teach/gradient_check.hpp"

#include <array>
#include <cmath>
#include <limits>
#include <optional>

#include "base/errors.hpp"
#include "gradient_check/check_inputs.hpp"
#include "gradient_check/check_run.hpp"
#include "gradient_check/judgement.hpp"
#include "losses/terms.hpp"

namespace conv2d {
namespace {

using layers::Bend;
using layers::checks_of;
using layers::rules_of;
using layers::Run;

/// Where the loss bends within a step.
struct Kink {
  std::int64_t layer = -1;  ///< the first that bends; -1: none; the number of layers: the loss
  Bend bend;
};

template <class T>
class Checker {
 public:
  Checker(std::span<const LayerInfo> chain, const losses::Entry& loss, const ChainParameter& of,
          const GradientCheckInputs<T>& in) noexcept
      : chain_(chain), loss_(loss), of_(of), in_(in) {}

  /// Runs the chain forward and, if no gradient is given, backward. In a chain of more than one convolution, also in
  /// double with magnitudes. `cells`: the number of results, for the memory check.
  Status prepare(std::int64_t cells) {
    const std::int64_t size = size_of(chain_, of_), outputs = std::ssize(in_.dy_or_target);
    Scratch<GradientCheckCell> results;
    Room room;
    room.take(results, cells);
    run_.allocate(room, false, true);
    exact_.allocate(room, true, !is_conv_);
    magnitudes_.allocate(room, true, !is_conv_);
    for (std::size_t i = of_.layer; i < chain_.size(); ++i) {
      if (in_.gradient.empty()) room.take(dy_[i], chain_[i].y_size);
      if (!is_conv_) room.take(reach_[i], chain_[i].y_size);
    }
    room.take(gradient_, in_.gradient.empty() ? size : 0);
    room.take(magnitude_, is_conv_ ? 0 : size);
    room.take(steepest_, is_conv_ ? 0 : outputs);
    room.take(terms_, loss_.is_per_position() ? static_cast<std::int64_t>(divisor_) : outputs);
    if (!room.fits()) {
      return {ErrorCode::out_of_memory, "",
              text("a gradient check of ", cells, " cells needs about ", room.bytes(),
                   " bytes, which could not be allocated")};
    }
    if (Status status = losses::check_target(loss_, in_.dy_or_target, channels_); !status.ok()) return status;
    run_.view(in_);
    exact_.copy(
        in_, +[](T value) { return static_cast<double>(value); }, !is_conv_);
    magnitudes_.copy(
        in_, +[](T value) { return std::abs(static_cast<double>(value)); }, !is_conv_);
    if (in_.gradient.empty()) {
      Status status = loss_gradient<T>(loss_.name, run_.last(run_.base), in_.dy_or_target,
                                       dy_[chain_.size() - 1].span(), channels_);
      if (!status.ok()) return status;
      run_backward(dy_, gradient_.span(), [&](std::size_t i) { return run_.run_of(i, run_.base); });
    }
    if (!is_conv_) measure_magnitudes();
    set_all_terms(run_.last(run_.base));
    loss_at_value_ = sum_of_terms();
    analytic_ = in_.gradient.empty() ? gradient_.span() : in_.gradient;
    largest_gradient_ = largest_of(analytic_);
    scale_ = scale_of(run_.parameter());
    return {};
  }

  [[nodiscard]] GradientCheckCell check(std::int64_t index, T epsilon) noexcept {
    const auto at = static_cast<std::size_t>(index);
    const T value = run_.parameter()[at];
    run_.move(run_.above, at, value + epsilon);
    run_.move(run_.below, at, value - epsilon);
    set_terms(at, run_.above);
    const T plus = sum_of_terms();
    set_terms(at, run_.below);
    const T minus = sum_of_terms();
    if (is_conv_) for_each_moved(at, [&](std::size_t t, const Position&) { set_term(t, run_.last(run_.base)[t]); });
    std::ranges::fill(steepest_.span(), std::numeric_limits<double>::infinity());
    GradientCheckCell cell{.index = index,
                           .loss_plus = static_cast<double>(plus),
                           .loss_minus = static_cast<double>(minus),
                           .analytic = static_cast<double>(analytic_[at]),
                           .numeric = static_cast<double>((plus - minus) / (2 * epsilon)),
                           .slope_above = static_cast<double>((plus - loss_at_value_) / epsilon),
                           .slope_below = static_cast<double>((loss_at_value_ - minus) / epsilon)};
    const double analytic = std::abs(cell.analytic), numeric = std::abs(cell.numeric);
    cell.absolute_error = std::abs(cell.analytic - cell.numeric);
    cell.relative_error =
        cell.absolute_error / std::max({analytic, numeric, static_cast<double>(std::numeric_limits<T>::min())});
    // The quotient alone confirms the gradient if the rounding of the losses is small beside it.
    const double digit = static_cast<double>(std::numeric_limits<T>::epsilon()) *
                         std::max(std::abs(cell.loss_plus), std::abs(cell.loss_minus)) / static_cast<double>(epsilon);
    const bool is_plain = cell.relative_error <= kTolerance<T> && kLastDigits * digit <= kTolerance<T> * numeric;
    Judgement judgement(cell.analytic, kTolerance<T>, largest_gradient_);
    std::optional<Kink> first;
    Kink last;
    judgement.run(static_cast<double>(epsilon), scale_, [&](double step) {
      const Measured measured = measure(at, step, last);
      if (!first) first = last;
      return measured;
    });
    if (is_plain && judgement.believes(cell)) {
      cell.verdict = GradientVerdict::confirmed;
      return cell;
    }
    judgement.write(cell);
    name_kink(cell, judgement.has_no_slope() ? last : *first);
    return cell;
  }

 private:
  /// Calls act(t, position) for each last output that the element can move; the position is that of one convolution.
  template <class Act>
  void for_each_moved(std::size_t at, Act act) const noexcept {
    if (is_conv_) {
      for_each_dependent_output(chain_[0].geometry, of_.parameter, at, act);
    } else {
      for (std::size_t t = 0; t < in_.dy_or_target.size(); ++t) act(t, Position{});
    }
  }

  void set_term(std::size_t t, T y) const noexcept {
    terms_.span()[t] = losses::term_of(loss_, y, in_.dy_or_target[t]);
  }
  void set_all_terms(std::span<const T> y) const noexcept {
    for (std::size_t t = 0; t < terms_.span().size(); ++t) {
      if (loss_.is_per_position()) {
        terms_.span()[t] = static_cast<T>(losses::term_of(loss_, losses::Channels(y, channels_, t), target(t)));
      } else {
        set_term(t, y[t]);
      }
    }
  }
  /// The terms after a move of element `at`. In a chain the next call sets all of them again.
  void set_terms(std::size_t at, const typename CheckRun<T>::Moved& moved) const noexcept {
    if (!is_conv_) return set_all_terms(run_.last(moved));
    for_each_moved(at, [&](std::size_t t, const Position& y) { set_term(t, run_.last_at(moved, t, y)); });
  }
  [[nodiscard]] T sum_of_terms() const noexcept {
    const std::span<const T> terms = terms_.span();
    const T sum = losses::pairwise_sum<T>(0, terms.size(), [terms](std::size_t t) { return terms[t]; });
    return losses::of_sum(sum, divisor_);
  }
  [[nodiscard]] losses::Channels target(std::size_t position) const noexcept {
    return {in_.dy_or_target, channels_, position};
  }

  /// Writes the gradient of the parameter, from dy of the last layer. `tensors`: of layer i.
  template <class U, class Tensors>
  void run_backward(const std::array<Scratch<U>, kMaxLayers>& dy, std::span<U> gradient,
                    const Tensors& tensors) const noexcept {
    for (std::size_t i = chain_.size(); i-- > of_.layer;) {
      Run<U> r = tensors(i);
      r.dy = dy[i].span();
      if (i > of_.layer) {
        r.dx = dy[i - 1].span();
      } else {
        (of_.parameter == Parameter::x ? r.dx : of_.parameter == Parameter::w ? r.dw : r.db) = gradient;
      }
      checks_of(chain_[i]).template reference<U>().backward(chain_[i], r);
    }
  }

  /// Sets magnitude_, the sum of |products| on all paths to the loss, where outputs count with theirs; and reach_, the
  /// same of each output.
  void measure_magnitudes() noexcept {
    const std::span<const double> y = exact_.last(exact_.base), size = magnitudes_.last(magnitudes_.base);
    const std::span<double> reach = reach_[chain_.size() - 1].span();
    // An output that is at its target and 0 reaches the loss, too.
    constexpr double kLeast = 1e-30;
    const auto set = [&](std::size_t t, double slope, double curvature, double magnitude) {
      const double sum = std::abs(slope) + curvature * (output_rounding() / kSumRounding * magnitude + kLeast);
      reach[t] = losses::of_sum<double>(sum, divisor_);
    };
    if (!loss_.is_per_position()) {
      for (std::size_t t = 0; t < y.size(); ++t) {
        const losses::Slope slope = losses::slope_of(loss_, y[t], static_cast<double>(in_.dy_or_target[t]));
        set(t, slope.slope, slope.curvature, size[t]);
      }
    }
    for (std::size_t i = 0; loss_.is_per_position() && i < divisor_; ++i) {
      const losses::Channels at(y, channels_, i), sizes(size, channels_, i);
      const losses::PositionSums sums = loss_.sums(at, target(i));
      double most = 0;
      for (std::size_t c = 0; c < at.count(); ++c) most = std::max(most, sizes[c]);
      for (std::size_t c = 0; c < at.count(); ++c) {
        // The slope is a difference: its parts count.
        const double slope = std::abs(loss_.slope_at(sums, at[c], target(i)[c])) + 2 * target(i)[c];
        set(at.index(c), slope, losses::checks_of(loss_).curvature_at(sums, at[c]), most);
      }
    }
    run_backward(reach_, magnitude_.span(), [&](std::size_t i) {
      const bool has_weights = rules_of(chain_[i]).has_weights;
      return has_weights ? magnitudes_.run_of(i, magnitudes_.base) : exact_.run_of(i, exact_.base);
    });
  }

  [[nodiscard]] Measured measure(std::size_t at, double step, Kink& kink) noexcept {
    const double value = exact_.parameter()[at];
    exact_.move(exact_.above, at, value + step);
    exact_.move(exact_.below, at, value - step);
    magnitudes_.move(magnitudes_.above, at, std::abs(value) + step);
    const double shift = std::numeric_limits<double>::epsilon() * (std::abs(value) + step);
    Measurement sums(loss_, roundings_, divisor_, value - step, value + step, shift, precision());
    kink = find_kink();
    const bool bends = kink.layer >= 0 && !kink.bend.is_near;
    if (loss_.is_per_position()) {
      for (std::size_t i = 0; i < divisor_; ++i) add_position(sums, i, step, bends);
    } else {
      for_each_moved(at, [&](std::size_t t, const Position& y) { add_output(sums, t, y, step, bends); });
    }
    Measured measured = sums.result();
    if (kink.layer < 0 && sums.kink().cell >= 0) kink = {.layer = std::ssize(chain_), .bend = sums.kink()};
    measured.allowance = kSumRounding * precision() * (is_conv_ ? measured.products : magnitude_.span()[at]);
    measured.bends = measured.bends || bends;
    measured.has_no_slope = measured.has_no_slope || kink.bend.is_at_value;
    measured.may_bend = measured.may_bend || kink.bend.is_near;
    return measured;
  }

  void add_output(Measurement& sums, std::size_t t, const Position& y, double step, bool bends) const noexcept {
    const double value_of_y = is_conv_ ? static_cast<double>(run_.last(run_.base)[t]) : exact_.last(exact_.base)[t];
    const double magnitude = magnitudes_.last_at(magnitudes_.above, t, y);
    const MovedOutput output{.below = exact_.last_at(exact_.below, t, y),
                             .at = value_of_y,
                             .above = exact_.last_at(exact_.above, t, y),
                             .magnitude = magnitude,
                             .rounding = rounding_of_output(value_of_y, magnitude),
                             .other = static_cast<double>(in_.dy_or_target[t])};
    if (output.above != output.below) return sums.add(output, static_cast<std::int64_t>(t));
    add_unmoved(sums, t, losses::slope_of(loss_, output.at, output.other).slope, magnitude, step, bends);
  }

  /// The element does not reach output t, or the step is lost in its rounding.
  void add_unmoved(Measurement& sums, std::size_t t, double slope, double magnitude, double step,
                   bool bends) const noexcept {
    double unbounded = std::numeric_limits<double>::infinity();
    double& steepest = is_conv_ ? unbounded : steepest_.span()[t];
    sums.add_unmoved(slope, magnitude, steepest);
    if (!bends) steepest = std::min(steepest, roundings_ * losses::kUnitOfDouble * magnitude / step);
  }

  void add_position(Measurement& sums, std::size_t i, double step, bool bends) const noexcept {
    const auto channels = [&](std::span<const double> y) { return losses::Channels(y, channels_, i); };
    const losses::Channels below = channels(exact_.last(exact_.below)), at = channels(exact_.last(exact_.base)),
                           above = channels(exact_.last(exact_.above)),
                           magnitude = channels(magnitudes_.last(magnitudes_.above));
    bool moves = false;
    const losses::PositionSums common = loss_.sums(at, target(i));
    for (std::size_t c = 0; c < at.count(); ++c) {
      if (below[c] != above[c]) {
        moves = true;
        continue;
      }
      add_unmoved(sums, at.index(c), loss_.slope_at(common, at[c], target(i)[c]), magnitude[c], step, bends);
    }
    if (moves) sums.add_position(below, at, above, magnitude, target(i), output_rounding());
  }

  /// Rounding of the gradient, relative to its magnitudes: each layer adds its own.
  [[nodiscard]] double precision() const noexcept {
    return in_.gradient_precision * static_cast<double>(chain_.size());
  }

  /// Rounding of an output that a gradient is computed from, in units of precision * magnitude. In a chain, half a unit
  /// for each sum, all in one direction where the values are equal.
  [[nodiscard]] double output_rounding() const noexcept {
    return is_conv_ ? kOutputRounding : std::max(kOutputRounding, roundings_ / 2);
  }

  /// The same of one output y, in units of precision. The sums of one convolution round in one direction where the
  /// products are equal; then |y| is as large as the sum of |products|.
  [[nodiscard]] double rounding_of_output(double y, double magnitude) const noexcept {
    const double rounding = output_rounding() * magnitude;
    return is_conv_ ? std::max(rounding, roundings_ / 2 * std::abs(y)) : rounding;
  }

  [[nodiscard]] static double roundings_of(std::span<const LayerInfo> chain) noexcept {
    double roundings = 0;
    for (const LayerInfo& layer : chain) {
      const Geometry& g = layer.geometry;
      const std::int64_t channels = layer.is_transposed ? g.group_k : g.group_c;
      roundings += static_cast<double>(g.kh * g.kw * channels + 2);
    }
    return roundings;
  }

  /// The first layer that bends within the step. Up to it all activations are linear in the element, so that a bend in
  /// between shows at the ends.
  [[nodiscard]] Kink find_kink() const noexcept {
    for (std::size_t i = of_.layer; i < chain_.size(); ++i) {
      const LayerInfo& layer = chain_[i];
      const auto find = checks_of(layer).bend;
      if (!find) continue;
      const Run<double> below = exact_.run_of(i, exact_.below), at = exact_.run_of(i, exact_.base),
                        above = exact_.run_of(i, exact_.above);
      const Bend bend = find(layer, {.below = below,
                                     .at = at,
                                     .above = above,
                                     .magnitudes = magnitudes_.run_of(i, magnitudes_.base).x,
                                     .reach = reach_[i].span(),
                                     .precision = output_rounding() * precision()});
      if (bend.cell >= 0) return {.layer = static_cast<std::int64_t>(i), .bend = bend};
    }
    return {};
  }

  void name_kink(GradientCheckCell& cell, const Kink& kink) const noexcept {
    if (!is_doubtful(cell.verdict) || kink.layer < 0) return;
    const bool is_of_loss = kink.layer == std::ssize(chain_);
    cell.verdict =
        is_of_loss ? GradientVerdict::at_kink : checks_of(chain_[static_cast<std::size_t>(kink.layer)]).verdict_at_kink;
    cell.kink_layer = kink.layer;
    cell.kink_cell = kink.bend.cell;
    cell.kink_at_value = kink.bend.is_at_value;
    cell.winner_above = kink.bend.winner_above;
    cell.winner_below = kink.bend.winner_below;
  }

  std::span<const LayerInfo> chain_;
  const losses::Entry& loss_;
  ChainParameter of_;
  GradientCheckInputs<T> in_;
  /// One convolution: all sums are those of the outputs that the element can move.
  LossChannels channels_ = LossChannels::of(chain_.back());
  std::size_t divisor_ = losses::divisor_of(loss_, in_.dy_or_target.size(), channels_);
  /// A loss per position needs all channels of a position, also those that the element cannot move.
  bool is_conv_ = is_conv(chain_) && !loss_.is_per_position();
  double roundings_ = roundings_of(chain_);  ///< of one output
  std::span<const T> analytic_;
  CheckRun<T> run_{chain_, of_, is_conv_};
  CheckRun<double> exact_{chain_, of_, is_conv_};       ///< the same in double
  CheckRun<double> magnitudes_{chain_, of_, is_conv_};  ///< with |x|, |w| and |b|: sums of |products|
  std::array<Scratch<T>, kMaxLayers> dy_;
  std::array<Scratch<double>, kMaxLayers> reach_;
  Scratch<T> gradient_, terms_;
  Scratch<double> magnitude_;
  Scratch<double> steepest_;  ///< bounds of the slopes of outputs that no step so far has moved
  T loss_at_value_{};
  double largest_gradient_ = 0;
  double scale_ = 1;  ///< first step of a judgement
};

}  // namespace

template <class T>
Result<std::vector<GradientCheckCell>> gradient_check(std::span<const LayerInfo> layers, std::string_view loss,
                                                      const ChainParameter& parameter, const GradientCheckInputs<T>& in,
                                                      T epsilon, std::span<const std::int64_t> indices) {
  const losses::Entry* const entry = losses::find(loss);
  if (!entry) return losses::no_such_loss();
  if (Status status = check_inputs(layers, *entry, parameter, in); !status.ok()) return status;
  if (!(epsilon > 0 && std::isfinite(epsilon))) {
    return Status{
        ErrorCode::invalid_argument, "epsilon",
        text(epsilon <= 0 ? "a step is 0 or negative" : "a step is not finite", "; it must be positive and finite")};
  }
  const std::int64_t size = size_of(layers, parameter);
  for (const std::int64_t index : indices) {
    if (index >= 0 && index < size) continue;
    return Status{ErrorCode::invalid_argument, "indices",
                  text("cell ", index, " is not in the parameter, which has ", size, " cells")};
  }
  const std::int64_t count = indices.empty() ? size : std::ssize(indices);
  Checker<T> checker(layers, *entry, parameter, in);
  if (Status status = checker.prepare(count); !status.ok()) return status;
  std::vector<GradientCheckCell> cells;
  cells.reserve(static_cast<std::size_t>(count));
  for (std::int64_t t = 0; t < count; ++t) {
    cells.push_back(checker.check(indices.empty() ? t : indices[static_cast<std::size_t>(t)], epsilon));
  }
  return cells;
}

template Result<std::vector<GradientCheckCell>> gradient_check(std::span<const LayerInfo>, std::string_view,
                                                               const ChainParameter&, const GradientCheckInputs<float>&,
                                                               float, std::span<const std::int64_t>);
template Result<std::vector<GradientCheckCell>> gradient_check(std::span<const LayerInfo>, std::string_view,
                                                               const ChainParameter&,
                                                               const GradientCheckInputs<double>&, double,
                                                               std::span<const std::int64_t>);

}  // namespace conv2d
