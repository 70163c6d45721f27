#include <algorithm>
#include <array>
#include <cmath>

#include "base/errors.hpp"
#include "base/scratch.hpp"
#include "conv2d_teach/chain.hpp"
#include "gradient_check/judge.hpp"
#include "gradient_check/terms.hpp"
#include "layers/entry.hpp"

namespace conv2d {
namespace {

using layers::entry_of;
using layers::field_of;
using layers::Run;

std::int64_t size_of(const LayerInfo& layer, Parameter parameter) noexcept {
  if (parameter == Parameter::x) return layer.geometry.x_size;
  return parameter == Parameter::w ? layer.w_size : layer.b_size;
}

template <class T>
Status check_inputs(const Chain& chain, Loss loss, const ChainParameter& of, const ChainCheckInputs<T>& in) {
  Status enumerators = check_enumerator("loss", loss, Loss::log_cosh);
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
    const LayerInfo& layer = chain.layer(i);
    const std::size_t biases = in.layers[i].b.size();
    Status status = check_lengths({{field_of(i, "w"), in.layers[i].w.size(), layer.w_size},
                                   {field_of(i, "b"), biases, biases == 0 ? 0 : layer.b_size}});
    if (!status.ok()) return status;
  }
  const std::int64_t size = size_of(chain.layer(of.layer), of.parameter);
  if (size == 0 || (of.parameter == Parameter::b && in.layers[of.layer].b.empty())) {
    return {ErrorCode::invalid_argument, "parameter",
            text("layers[", of.layer, "] has no ", of.parameter == Parameter::w ? "w" : "b", " to check")};
  }
  return check_lengths(
      {{"x", in.x.size(), chain.layer(0).geometry.x_size},
       {loss == Loss::linear ? "dy" : "target", in.dy_or_target.size(), chain.layer(chain.size() - 1).geometry.y_size},
       {"gradient", in.gradient.size(), in.gradient.empty() ? 0 : size}});
}

/// Outputs and winners of all layers.
template <class T>
struct Outputs {
  std::array<Scratch<T>, kMaxLayers> y;
  std::array<Scratch<std::int32_t>, kMaxLayers> winners;

  [[nodiscard]] bool allocate(const Chain& chain) noexcept {
    for (std::size_t i = 0; i < chain.size(); ++i) {
      const LayerInfo& layer = chain.layer(i);
      if (!y[i].allocate(layer.geometry.y_size) || !winners[i].allocate(layer.winners_size)) return false;
    }
    return true;
  }
};

template <class T>
class ChainChecker {
 public:
  ChainChecker(const Chain& chain, Loss loss, const ChainParameter& of, const ChainCheckInputs<T>& in) noexcept
      : chain_(chain), loss_(loss), of_(of), in_(in) {}

  /// Runs the chain forward and backward, and backward again with magnitudes. `cells` is the number of results, for the
  /// memory check.
  Status prepare(std::int64_t cells) {
    const std::int64_t size = size_of(chain_.layer(of_.layer), of_.parameter);
    Scratch<ChainCheckCell<T>> results;
    bool fits = base_.allocate(chain_) && plus_.allocate(chain_) && minus_.allocate(chain_) && above_.allocate(size) &&
                below_.allocate(size) && gradient_.allocate(size) && magnitude_.allocate(size) &&
                results.allocate(cells);
    std::int64_t largest_x = 0, largest_w = 0;
    for (std::size_t i = 0; i < chain_.size(); ++i) {
      const LayerInfo& layer = chain_.layer(i);
      largest_x = std::max(largest_x, layer.geometry.x_size);
      largest_w = std::max(largest_w, layer.w_size);
      fits = fits && dy_[i].allocate(layer.geometry.y_size);
    }
    if (!fits || !absolute_x_.allocate(largest_x) || !absolute_w_.allocate(largest_w)) {
      return {ErrorCode::out_of_memory, "", text("a gradient check of ", cells, " cells needs too much memory")};
    }
    for (std::size_t i = 0; i < chain_.size(); ++i) run(i, base_, {});
    const std::span<const T> value = parameter();
    std::ranges::copy(value, above_.span().begin());
    std::ranges::copy(value, below_.span().begin());
    const std::span<T> dy = dy_[chain_.size() - 1].span();
    if (Status status = loss_gradient<T>(loss_, last(base_), in_.dy_or_target, dy); !status.ok()) return status;
    run_backward(false, gradient_.span());
    measure_loss();
    for (T& slope : dy) slope = std::abs(slope);
    run_backward(true, magnitude_.span());
    analytic_ = in_.gradient.empty() ? gradient_.span() : in_.gradient;
    largest_gradient_ = largest_of(analytic_);
    return {};
  }

  [[nodiscard]] ChainCheckCell<T> check(std::int64_t index, T epsilon) noexcept {
    const auto at = static_cast<std::size_t>(index);
    const T value = above_.span()[at];
    ChainCheckCell<T> cell;
    cell.index = index;
    move(at, epsilon);
    cell.loss_plus = loss_of(plus_);
    cell.loss_minus = loss_of(minus_);
    cell.analytic = analytic_[at];
    take_quotient(cell, epsilon);
    const auto step = static_cast<double>(epsilon);
    cell.rounding =
        kPrecision<T> * (size_of_loss_ + std::abs(static_cast<double>(value)) * moved() / (2 * step)) / step +
        kSumRounding * in_.gradient_precision * static_cast<double>(magnitude_.span()[at]);
    cell.verdict = judge(cell, largest_gradient_);
    find_kink(cell);
    const bool doubtful = cell.verdict == GradientVerdict::wrong || cell.verdict == GradientVerdict::not_at_this_step;
    if (doubtful && cell.kink_layer >= 0) {
      cell.verdict = entry_of(chain_.layer(static_cast<std::size_t>(cell.kink_layer))).verdict_at_kink;
    }
    if (cell.verdict == GradientVerdict::wrong && loss_ == Loss::log_cosh) {
      const T short_step = epsilon / kShorterStep;
      move(at, short_step);
      if (explained_by_curvature(cell, (loss_of(plus_) - loss_of(minus_)) / (2 * short_step))) {
        cell.verdict = GradientVerdict::not_at_this_step;
      }
    }
    above_.span()[at] = value;
    below_.span()[at] = value;
    return cell;
  }

 private:
  [[nodiscard]] std::span<const T> last(const Outputs<T>& outputs) const noexcept {
    return outputs.y[chain_.size() - 1].span();
  }
  [[nodiscard]] T loss_of(const Outputs<T>& outputs) const noexcept {
    return loss_value<T>(loss_, last(outputs), in_.dy_or_target).value();  // prepare() has checked the lengths
  }

  /// The unperturbed parameter.
  [[nodiscard]] std::span<const T> parameter() const noexcept {
    if (of_.parameter == Parameter::w) return in_.layers[of_.layer].w;
    if (of_.parameter == Parameter::b) return in_.layers[of_.layer].b;
    return of_.layer == 0 ? in_.x : std::span<const T>(base_.y[of_.layer - 1].span());
  }

  /// The tensors of layer i, with its outputs in `outputs`; `changed` in place of the parameter, unless it is empty.
  /// The outputs of the layers before the parameter's are those of base_.
  [[nodiscard]] Run<T> run_of(std::size_t i, const Outputs<T>& outputs, std::span<const T> changed) const noexcept {
    const bool is_before = i <= of_.layer;
    Run<T> r{.x = i == 0 ? in_.x : std::span<const T>((is_before ? base_ : outputs).y[i - 1].span()),
             .w = in_.layers[i].w,
             .b = in_.layers[i].b,
             .y = outputs.y[i].span(),
             .winners = outputs.winners[i].span()};
    if (i == of_.layer && !changed.empty()) {
      (of_.parameter == Parameter::x ? r.x : of_.parameter == Parameter::w ? r.w : r.b) = changed;
    }
    return r;
  }

  void run(std::size_t i, const Outputs<T>& outputs, std::span<const T> changed) const noexcept {
    const LayerInfo& layer = chain_.layer(i);
    entry_of(layer).template reference<T>().forward(layer, run_of(i, outputs, changed));
  }

  /// Computes plus_ and minus_ with the element moved by `step` from the parameter's value.
  void move(std::size_t at, T step) noexcept {
    const T value = parameter()[at];
    above_.span()[at] = value + step;
    below_.span()[at] = value - step;
    for (std::size_t i = of_.layer; i < chain_.size(); ++i) {
      run(i, plus_, above_.span());
      run(i, minus_, below_.span());
    }
  }

  /// Writes the gradient of the parameter, from dy of the last layer; with magnitudes, the sum of |products| on all
  /// paths to the loss.
  void run_backward(bool magnitudes, std::span<T> gradient) const noexcept {
    for (std::size_t i = chain_.size(); i > of_.layer; --i) {
      const std::size_t at = i - 1;
      const LayerInfo& layer = chain_.layer(at);
      Run<T> r = run_of(at, base_, {});
      if (magnitudes && entry_of(layer).has_weights) {
        r.x = absolute(r.x, absolute_x_);
        r.w = absolute(r.w, absolute_w_);
      }
      r.dy = dy_[at].span();
      if (at > of_.layer) {
        r.dx = dy_[at - 1].span();
      } else {
        (of_.parameter == Parameter::x ? r.dx : of_.parameter == Parameter::w ? r.dw : r.db) = gradient;
      }
      entry_of(layer).template reference<T>().backward(layer, r);
    }
  }

  static std::span<const T> absolute(std::span<const T> values, const Scratch<T>& into) noexcept {
    const std::span<T> to = into.span().first(values.size());
    std::ranges::transform(values, to.begin(), [](T value) { return std::abs(value); });
    return to;
  }

  /// Sets size_of_loss_, to which the rounding of the loss is relative: the loss itself, and the part that each
  /// computed activation has in it. Those are rounded independently, so their errors add up in squares.
  void measure_loss() noexcept {
    double squares = 0;
    for (std::size_t i = of_.layer; i < chain_.size(); ++i) {
      if (!entry_of(chain_.layer(i)).rounds) continue;
      const std::span<const T> y = base_.y[i].span(), dy = dy_[i].span();
      for (std::size_t t = 0; t < y.size(); ++t) {
        const double part = static_cast<double>(y[t]) * static_cast<double>(dy[t]);
        squares += part * part;
      }
    }
    size_of_loss_ = 2 * std::abs(static_cast<double>(loss_of(base_))) + 4 * std::sqrt(squares);
  }

  /// The sum of |changes| of the terms of the loss between plus_ and minus_, in units of the loss.
  [[nodiscard]] double moved() const noexcept {
    const std::span<const T> a = last(plus_), b = last(minus_);
    double change = 0;
    for (std::size_t t = 0; t < a.size(); ++t) {
      const T other = in_.dy_or_target[t];
      change += std::abs(static_cast<double>(loss_term(loss_, a[t], other)) -
                         static_cast<double>(loss_term(loss_, b[t], other)));
    }
    return loss_of_sum<double>(loss_, change, a.size());
  }

  /// Sets the first layer that bends between plus_ and minus_. Up to it all activations are linear in the element, so
  /// that a bend in between shows at the ends.
  void find_kink(ChainCheckCell<T>& cell) const noexcept {
    for (std::size_t i = of_.layer; i < chain_.size() && cell.kink_layer < 0; ++i) {
      const auto kink = entry_of(chain_.layer(i)).template reference<T>().kink;
      if (!kink) continue;
      cell.kink_cell = kink(run_of(i, plus_, above_.span()), run_of(i, minus_, below_.span()));
      if (cell.kink_cell >= 0) cell.kink_layer = static_cast<std::int64_t>(i);
    }
  }

  const Chain& chain_;
  Loss loss_;
  ChainParameter of_;
  ChainCheckInputs<T> in_;
  std::span<const T> analytic_;
  Outputs<T> base_, plus_, minus_;
  std::array<Scratch<T>, kMaxLayers> dy_;
  Scratch<T> above_, below_;  ///< the parameter with one element at v + e, and at v - e
  Scratch<T> gradient_, magnitude_, absolute_x_, absolute_w_;
  double size_of_loss_ = 0;
  double largest_gradient_ = 0;
};

}  // namespace

template <class T>
Result<std::vector<ChainCheckCell<T>>> chain_gradient_check(const Chain& chain, Loss loss,
                                                            const ChainParameter& parameter,
                                                            const ChainCheckInputs<T>& in, T epsilon,
                                                            std::span<const std::int64_t> indices) {
  if (Status status = check_inputs(chain, loss, parameter, in); !status.ok()) return status;
  return check_cells<ChainCheckCell<T>>(ChainChecker<T>(chain, loss, parameter, in),
                                        size_of(chain.layer(parameter.layer), parameter.parameter), epsilon, indices);
}

template Result<std::vector<ChainCheckCell<float>>> chain_gradient_check(const Chain&, Loss, const ChainParameter&,
                                                                         const ChainCheckInputs<float>&, float,
                                                                         std::span<const std::int64_t>);
template Result<std::vector<ChainCheckCell<double>>> chain_gradient_check(const Chain&, Loss, const ChainParameter&,
                                                                          const ChainCheckInputs<double>&, double,
                                                                          std::span<const std::int64_t>);

}  // namespace conv2d
