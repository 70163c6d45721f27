#include <algorithm>
#include <array>
#include <cmath>

#include "base/errors.hpp"
#include "base/scratch.hpp"
#include "chain/check_run.hpp"
#include "conv2d_teach/chain.hpp"
#include "gradient_check/judge.hpp"
#include "gradient_check/terms.hpp"
#include "layers/entry.hpp"

namespace conv2d {
namespace {

using layers::Bend;
using layers::checks_of;
using layers::field_of;
using layers::rules_of;
using layers::Run;

std::int64_t size_of(const LayerInfo& layer, Parameter parameter) noexcept {
  if (parameter == Parameter::x) return layer.geometry.x_size;
  return parameter == Parameter::w ? layer.w_size : layer.b_size;
}

template <class T>
Status check_inputs(std::span<const LayerInfo> chain, Loss loss, const ChainParameter& of,
                    const ChainCheckInputs<T>& in) {
  Status enumerators = check_enumerator("loss", loss, kLastLoss);
  if (enumerators.ok()) enumerators = check_enumerator("parameter", of.parameter, Parameter::b);
  if (!enumerators.ok()) return enumerators;
  if (in.layers.size() != chain.size()) {
    return length_mismatch("layers", in.layers.size(), static_cast<std::int64_t>(chain.size()));
  }
  if (of.layer >= chain.size()) {
    return {ErrorCode::invalid_argument, "parameter",
            text("the chain has ", chain.size(), " layers, but the parameter is of layers[", of.layer, "]")};
  }
  for (std::size_t i = 0; i < chain.size(); ++i) {
    const LayerInfo& layer = chain[i];
    const std::size_t biases = in.layers[i].b.size();
    Status status = check_lengths({{field_of(i, "w"), in.layers[i].w.size(), layer.w_size},
                                   {field_of(i, "b"), biases, biases == 0 ? 0 : layer.b_size}});
    if (!status.ok()) return status;
  }
  const std::int64_t size = size_of(chain[of.layer], of.parameter);
  if (size == 0 || (of.parameter == Parameter::b && in.layers[of.layer].b.empty())) {
    return {ErrorCode::invalid_argument, "parameter",
            text("layers[", of.layer, "] has no ", of.parameter == Parameter::w ? "w" : "b", " to check")};
  }
  return check_lengths(
      {{"x", in.x.size(), chain[0].geometry.x_size},
       {loss == Loss::linear ? "dy" : "target", in.dy_or_target.size(), chain[chain.size() - 1].geometry.y_size},
       {"gradient", in.gradient.size(), in.gradient.empty() ? 0 : size}});
}

template <class T>
class ChainChecker {
 public:
  ChainChecker(std::span<const LayerInfo> chain, Loss loss, const ChainParameter& of,
               const ChainCheckInputs<T>& in) noexcept
      : chain_(chain),
        loss_(loss),
        entry_(entry_of(loss)),
        of_(of),
        in_(in),
        run_(chain, of),
        exact_(chain, of),
        magnitudes_(chain, of) {}

  /// Runs the chain forward and backward, and again in double with magnitudes. `cells` is the number of results, for
  /// the memory check.
  Status prepare(std::int64_t cells) {
    const std::int64_t size = size_of(chain_[of_.layer], of_.parameter);
    Scratch<ChainCheckCell<T>> results;
    run_.tensors.view(in_);
    bool fits = exact_.tensors.copy(
                    in_, +[](T value) { return static_cast<double>(value); }) &&
                magnitudes_.tensors.copy(
                    in_, +[](T value) { return std::abs(static_cast<double>(value)); }) &&
                run_.allocate(size) && exact_.allocate(size) && magnitudes_.allocate(size) &&
                gradient_.allocate(size) && magnitude_.allocate(size) &&
                steepest_.allocate(chain_[chain_.size() - 1].geometry.y_size) && results.allocate(cells);
    for (std::size_t i = 0; i < chain_.size(); ++i) {
      const std::int64_t outputs = chain_[i].geometry.y_size;
      fits = fits && dy_[i].allocate(outputs) && reach_[i].allocate(outputs);
    }
    if (!fits) {
      return {ErrorCode::out_of_memory, "", text("a gradient check of ", cells, " cells needs too much memory")};
    }
    run_.prepare();
    exact_.prepare();
    magnitudes_.prepare();
    const std::span<T> dy = dy_[chain_.size() - 1].span();
    if (Status status = loss_gradient<T>(loss_, run_.last(run_.base), in_.dy_or_target, dy); !status.ok()) {
      return status;
    }
    loss_at_value_ = loss_of(run_.base);
    run_backward(dy_, gradient_.span(), [&](std::size_t i) { return run_.run_of(i, run_.base); });
    measure_magnitudes();
    analytic_ = in_.gradient.empty() ? gradient_.span() : in_.gradient;
    largest_gradient_ = largest_of(analytic_);
    scale_ = scale_of(run_.parameter());
    return {};
  }

  [[nodiscard]] ChainCheckCell<T> check(std::int64_t index, T epsilon) noexcept {
    const auto at = static_cast<std::size_t>(index);
    const T value = run_.parameter()[at];
    ChainCheckCell<T> cell;
    cell.index = index;
    run_.raise(at, value + epsilon);
    run_.lower(at, value - epsilon);
    cell.loss_plus = loss_of(run_.above);
    cell.loss_minus = loss_of(run_.below);
    cell.slope_above = (cell.loss_plus - loss_at_value_) / epsilon;
    cell.slope_below = (loss_at_value_ - cell.loss_minus) / epsilon;
    cell.analytic = analytic_[at];
    take_quotient(cell, epsilon);
    const bool is_plain = is_plainly_right(cell, epsilon);
    Judgement judgement(static_cast<double>(cell.analytic), kTolerance<T>, largest_gradient_);
    Kink first, last;
    std::ranges::fill(steepest_.span(), std::numeric_limits<double>::infinity());
    judgement.run(static_cast<double>(epsilon), scale_, [&](double step) {
      last = {};
      const Measured measured = measure(at, step, last);
      if (first.layer == kNotMeasured) first = last;
      return measured;
    });
    if (is_plain && is_believed(cell, judgement)) {
      cell.verdict = GradientVerdict::confirmed;
      return cell;
    }
    take_verdict(cell, judgement, largest_gradient_);
    name_kink(cell, judgement.has_no_slope() ? last : first);
    return cell;
  }

 private:
  static constexpr std::int64_t kNotMeasured = -2;
  struct Kink {
    std::int64_t layer = kNotMeasured;  ///< -1: none; the size of the chain: the loss
    Bend bend;
  };

  [[nodiscard]] T loss_of(const Outputs<T>& outputs) const noexcept {
    return loss_value<T>(loss_, run_.last(outputs), in_.dy_or_target).value();  // prepare() has checked the lengths
  }

  /// Writes the gradient of the parameter, from dy of the last layer. `tensors`: of layer i.
  template <class U, class Tensors>
  void run_backward(const std::array<Scratch<U>, kMaxLayers>& dy, std::span<U> gradient,
                    const Tensors& tensors) const noexcept {
    for (std::size_t i = chain_.size(); i > of_.layer; --i) {
      const std::size_t at = i - 1;
      const LayerInfo& layer = chain_[at];
      Run<U> r = tensors(at);
      r.dy = dy[at].span();
      if (at > of_.layer) {
        r.dx = dy[at - 1].span();
      } else {
        (of_.parameter == Parameter::x ? r.dx : of_.parameter == Parameter::w ? r.dw : r.db) = gradient;
      }
      checks_of(layer).template reference<U>().backward(layer, r);
    }
  }

  /// Sets magnitude_, the sum of |products| on all paths to the loss, where outputs count with theirs; and reach_, the
  /// same of each output.
  void measure_magnitudes() noexcept {
    for (std::size_t i = 0; i < chain_.size(); ++i) {
      const Geometry& g = chain_[i].geometry;
      roundings_ += static_cast<double>(g.kh * g.kw * g.group_c + 2);
    }
    const std::span<const double> y = exact_.last(exact_.base), size = magnitudes_.last(magnitudes_.base);
    const std::span<double> reach = reach_[chain_.size() - 1].span();
    for (std::size_t t = 0; t < y.size(); ++t) {
      const LossSlope slope = loss_slope(entry_, y[t], static_cast<double>(in_.dy_or_target[t]));
      // An output that is at its target and 0 reaches the loss, too.
      constexpr double kLeast = 1e-30;
      const double sum =
          std::abs(slope.slope) + slope.curvature * (output_rounding() / kSumRounding * size[t] + kLeast);
      reach[t] = loss_of_sum<double>(entry_, sum, y.size());
    }
    run_backward(reach_, magnitude_.span(), [&](std::size_t i) {
      const bool has_weights = rules_of(chain_[i]).has_weights;
      return has_weights ? magnitudes_.run_of(i, magnitudes_.base) : exact_.run_of(i, exact_.base);
    });
  }

  [[nodiscard]] Measured measure(std::size_t at, double step, Kink& kink) noexcept {
    const double value = exact_.parameter()[at];
    exact_.raise(at, value + step);
    exact_.lower(at, value - step);
    magnitudes_.raise(at, std::abs(value) + step);
    const double shift = std::numeric_limits<double>::epsilon() * (std::abs(value) + step);
    const std::span<const double> above = exact_.last(exact_.above), below = exact_.last(exact_.below);
    const std::span<const double> y = exact_.last(exact_.base), size = magnitudes_.last(magnitudes_.above);
    Measurement sums(entry_, roundings_, y.size(), value - step, value + step, shift, output_rounding() * precision());
    kink = find_kink();
    const bool bends = kink.layer >= 0 && !kink.bend.is_near;
    for (std::size_t t = 0; t < y.size(); ++t) {
      const MovedOutput output{.below = below[t],
                               .at = y[t],
                               .above = above[t],
                               .magnitude = size[t],
                               .other = static_cast<double>(in_.dy_or_target[t])};
      if (above[t] != below[t]) {
        sums.add(output, static_cast<std::int64_t>(t));
        continue;
      }
      // The element does not reach the output, or the step is lost in its rounding.
      double& steepest = steepest_.span()[t];
      sums.add_unmoved(output, steepest);
      if (!bends) steepest = std::min(steepest, roundings_ * kUnitOfDouble * size[t] / step);
    }
    Measured measured = sums.result();
    if (const LossKink& own = sums.kink(); kink.layer < 0 && own.cell >= 0) {
      kink = {.layer = std::ssize(chain_),
              .bend = {.cell = own.cell, .is_at_value = own.is_at_value, .is_near = own.is_near}};
    }
    measured.allowance = kSumRounding * precision() * magnitude_.span()[at];
    measured.bends = measured.bends || bends;
    measured.has_no_slope = measured.has_no_slope || kink.bend.is_at_value;
    measured.may_bend = measured.may_bend || kink.bend.is_near;
    return measured;
  }

  /// Rounding of the gradient, relative to its magnitudes: each layer adds its own.
  [[nodiscard]] double precision() const noexcept {
    return in_.gradient_precision * static_cast<double>(chain_.size());
  }

  /// Rounding of an output that a gradient is computed from, in units of precision * magnitude: half a unit for each
  /// sum, all in one direction where the values are equal.
  [[nodiscard]] double output_rounding() const noexcept { return std::max(kOutputRounding, roundings_ / 2); }

  /// The first layer that bends within the step. Up to it all activations are linear in the element, so that a bend in
  /// between shows at the ends.
  [[nodiscard]] Kink find_kink() const noexcept {
    for (std::size_t i = of_.layer; i < chain_.size(); ++i) {
      const LayerInfo& layer = chain_[i];
      const auto find = checks_of(layer).bend;
      if (!find) continue;
      const Run<double> below = exact_.run_below(i), at = exact_.run_of(i, exact_.base), above = exact_.run_above(i);
      const Bend bend = find(layer, {.below = below,
                                     .at = at,
                                     .above = above,
                                     .magnitudes = magnitudes_.run_of(i, magnitudes_.base).x,
                                     .reach = reach_[i].span(),
                                     .precision = output_rounding() * precision()});
      if (bend.cell >= 0) return {.layer = static_cast<std::int64_t>(i), .bend = bend};
    }
    return {.layer = -1, .bend = {}};
  }

  void name_kink(ChainCheckCell<T>& cell, const Kink& kink) const noexcept {
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
  Loss loss_;
  const LossEntry* entry_;  ///< null: linear
  ChainParameter of_;
  ChainCheckInputs<T> in_;
  std::span<const T> analytic_;
  CheckRun<T> run_;
  CheckRun<double> exact_;       ///< the same in double
  CheckRun<double> magnitudes_;  ///< with |x|, |w| and |b|: sums of |products|
  std::array<Scratch<T>, kMaxLayers> dy_;
  std::array<Scratch<double>, kMaxLayers> reach_;
  Scratch<T> gradient_;
  Scratch<double> magnitude_;
  Scratch<double> steepest_;  ///< bounds of the slopes of outputs that no step so far has moved
  T loss_at_value_{};
  double roundings_ = 0;  ///< of one output
  double largest_gradient_ = 0;
  double scale_ = 1;  ///< first step of a judgement
};

}  // namespace

template <class T>
Result<std::vector<ChainCheckCell<T>>> chain_gradient_check(std::span<const LayerInfo> layers, Loss loss,
                                                            const ChainParameter& parameter,
                                                            const ChainCheckInputs<T>& in, T epsilon,
                                                            std::span<const std::int64_t> indices) {
  if (Status status = check_inputs(layers, loss, parameter, in); !status.ok()) return status;
  return check_cells<ChainCheckCell<T>>(ChainChecker<T>(layers, loss, parameter, in),
                                        size_of(layers[parameter.layer], parameter.parameter), epsilon, indices);
}

template Result<std::vector<ChainCheckCell<float>>> chain_gradient_check(std::span<const LayerInfo>, Loss,
                                                                         const ChainParameter&,
                                                                         const ChainCheckInputs<float>&, float,
                                                                         std::span<const std::int64_t>);
template Result<std::vector<ChainCheckCell<double>>> chain_gradient_check(std::span<const LayerInfo>, Loss,
                                                                          const ChainParameter&,
                                                                          const ChainCheckInputs<double>&, double,
                                                                          std::span<const std::int64_t>);

}  // namespace conv2d
