#include "conv2d_teach/gradient_check.hpp"

#include <algorithm>
#include <cmath>

#include "base/errors.hpp"
#include "base/scratch.hpp"
#include "conv2d/reference.hpp"
#include "gradient_check/judge.hpp"
#include "gradient_check/terms.hpp"

namespace conv2d {
namespace {

std::int64_t size_of(const Geometry& g, Parameter parameter) noexcept {
  if (parameter == Parameter::x) return g.x_size;
  return parameter == Parameter::w ? g.w_size : g.k;
}

template <class T>
Status check_inputs(const Geometry& g, Loss loss, Parameter parameter, const GradientCheckInputs<T>& in) {
  Status status = check_enumerator("loss", loss, kLastLoss);
  if (status.ok()) status = check_enumerator("parameter", parameter, Parameter::b);
  if (!status.ok()) return status;
  if (parameter == Parameter::b && in.b.empty()) {
    return {ErrorCode::invalid_argument, "parameter", "the problem has no b to check"};
  }
  const bool linear = loss == Loss::linear;
  return check_lengths({
      {"x", in.x.size(), g.x_size},
      {"w", in.w.size(), g.w_size},
      {"b", in.b.size(), in.b.empty() ? 0 : g.k},
      {linear ? "dy" : "target", linear ? in.dy.size() : in.target.size(), g.y_size},
      {"gradient", in.gradient.size(), in.gradient.empty() ? 0 : size_of(g, parameter)},
  });
}

/// The unperturbed problem, and a copy of its parameter in which one element at a time is perturbed.
template <class T>
class Checker {
 public:
  Checker(const Geometry& g, Loss loss, Parameter parameter, const GradientCheckInputs<T>& in) noexcept
      : g_(g),
        loss_(loss),
        entry_(entry_of(loss)),
        parameter_(parameter),
        in_(in),
        other_(entry_ ? in.target : in.dy) {}

  /// Runs the forward pass and, if no gradient is given, the backward pass of the reference implementation. `cells` is
  /// the number of results, for the memory check.
  Status prepare(std::int64_t cells) {
    const std::int64_t size = size_of(g_, parameter_);
    Scratch<GradientCheckCell<T>> results;
    if (!y_.allocate(g_.y_size) || !dy_.allocate(g_.y_size) || !terms_.allocate(g_.y_size) ||
        !perturbed_.allocate(size) || !gradient_.allocate(in_.gradient.empty() ? size : 0) ||
        !results.allocate(cells)) {
      return {ErrorCode::out_of_memory, "",
              text("a gradient check of ", cells, " cells needs about ",
                   static_cast<std::int64_t>(sizeof(T)) * (3 * g_.y_size + 2 * size) +
                       static_cast<std::int64_t>(sizeof(GradientCheckCell<T>)) * cells,
                   " bytes, which could not be allocated")};
    }
    make_parameter_writable();
    reference::forward<T>(g_, in_.x, in_.w, in_.b, y_.span());
    for (std::size_t t = 0; t < other_.size(); ++t) terms_.span()[t] = loss_term(entry_, y_.span()[t], other_[t]);
    if (Status status = loss_gradient<T>(loss_, y_.span(), other_, dy_.span()); !status.ok()) return status;
    analytic_ = in_.gradient.empty() ? gradient_.span() : in_.gradient;
    if (in_.gradient.empty()) make_gradient(dy_.span());
    largest_gradient_ = largest_of(analytic_);
    scale_ = scale_of<T>(perturbed_.span());
    return {};
  }

  [[nodiscard]] GradientCheckCell<T> check(std::int64_t index, T epsilon) const noexcept {
    const auto at = static_cast<std::size_t>(index);
    const T value = perturbed_.span()[at];
    GradientCheckCell<T> cell;
    cell.index = index;
    cell.loss_plus = loss_with(index, value + epsilon);
    cell.loss_minus = loss_with(index, value - epsilon);
    cell.analytic = analytic_[at];
    take_quotient(cell, epsilon);
    perturbed_.span()[at] = value;
    update_terms(index);
    const bool is_plain = is_plainly_right(cell, epsilon);
    Judgement judgement(static_cast<double>(cell.analytic), kTolerance<T>, largest_gradient_);
    judgement.run(static_cast<double>(epsilon), scale_, [&](double step) { return measure(index, value, step); });
    perturbed_.span()[at] = value;
    if (is_plain && is_believed(cell, judgement)) {
      cell.verdict = GradientVerdict::confirmed;
      return cell;
    }
    take_verdict(cell, judgement, largest_gradient_);
    if (judgement.bends() && is_doubtful(cell.verdict)) cell.verdict = GradientVerdict::at_kink;
    return cell;
  }

 private:
  void make_gradient(std::span<const T> dy) const noexcept {
    if (parameter_ == Parameter::x) reference::backward_data<T>(g_, dy, in_.w, gradient_.span());
    if (parameter_ == Parameter::w) reference::backward_weights<T>(g_, in_.x, dy, gradient_.span());
    if (parameter_ == Parameter::b) reference::backward_bias<T>(g_, dy, gradient_.span());
  }

  /// Replaces the parameter in `in_` by a copy.
  void make_parameter_writable() noexcept {
    std::span<const T>& original = parameter_ == Parameter::x ? in_.x : parameter_ == Parameter::w ? in_.w : in_.b;
    std::copy(original.begin(), original.end(), perturbed_.span().begin());
    original = perturbed_.span();
  }

  /// The loss with `value` at `index`.
  [[nodiscard]] T loss_with(std::int64_t index, T value) const noexcept {
    perturbed_.span()[static_cast<std::size_t>(index)] = value;
    update_terms(index);
    const std::span<const T> terms = terms_.span();
    const T sum = pairwise_sum<T>(0, terms.size(), [terms](std::size_t t) { return terms[t]; });
    return loss_of_sum(entry_, sum, terms.size());
  }

  void update_terms(std::int64_t index) const noexcept {
    const auto terms = y_view(terms_.span().data(), g_);
    const auto other = y_view(other_.data(), g_);
    for_each_dependent_output(g_, parameter_, index,
                              [&](std::int64_t n, std::int64_t i, std::int64_t j, std::int64_t k) {
                                const T y = static_cast<T>(output_at(g_, in_, n, i, j, k).sum);
                                terms(n, i, j, k) = loss_term(entry_, y, other(n, i, j, k));
                              });
  }

  /// Leaves the parameter changed.
  [[nodiscard]] Measured measure(std::int64_t index, T value, double step) const noexcept {
    const auto at = static_cast<std::size_t>(index);
    const T above = value + static_cast<T>(step), below = value - static_cast<T>(step);
    // The ends are rounded to T.
    const double shift =
        static_cast<double>(std::numeric_limits<T>::epsilon()) * (std::abs(static_cast<double>(value)) + step);
    Measurement sums(entry_, static_cast<double>(g_.kh * g_.kw * g_.group_c + 2), terms_.span().size(),
                     static_cast<double>(below), static_cast<double>(above), shift,
                     kOutputRounding * in_.gradient_precision);
    const auto other = y_view(other_.data(), g_);
    const auto y = y_view<const T>(y_.span().data(), g_);
    for_each_dependent_output(g_, parameter_, index,
                              [&](std::int64_t n, std::int64_t i, std::int64_t j, std::int64_t k) {
                                T& cell = perturbed_.span()[at];
                                cell = above;
                                const Output high = output_at(g_, in_, n, i, j, k);
                                cell = below;
                                const Output low = output_at(g_, in_, n, i, j, k);
                                sums.add({.below = low.sum,
                                          .at = static_cast<double>(y(n, i, j, k)),
                                          .above = high.sum,
                                          .magnitude = std::max(high.magnitude, low.magnitude),
                                          .other = static_cast<double>(other(n, i, j, k))},
                                         other.offset(n, i, j, k));
                              });
    Measured measured = sums.result();
    measured.allowance = kSumRounding * in_.gradient_precision * measured.products;
    return measured;
  }

  const Geometry& g_;
  Loss loss_;
  const LossEntry* entry_;  ///< null: linear
  Parameter parameter_;
  GradientCheckInputs<T> in_;
  std::span<const T> other_;  ///< dy or target
  std::span<const T> analytic_;
  Scratch<T> y_, dy_, terms_, perturbed_, gradient_;
  double largest_gradient_ = 0;
  double scale_ = 1;  ///< first step of a judgement
};

}  // namespace

template <class T>
Result<std::vector<GradientCheckCell<T>>> gradient_check(const Geometry& g, Loss loss, Parameter parameter,
                                                         const GradientCheckInputs<T>& in, T epsilon,
                                                         std::span<const std::int64_t> indices) {
  if (Status status = check_inputs(g, loss, parameter, in); !status.ok()) return status;
  return check_cells<GradientCheckCell<T>>(Checker<T>(g, loss, parameter, in), size_of(g, parameter), epsilon, indices);
}

template Result<std::vector<GradientCheckCell<float>>> gradient_check(const Geometry&, Loss, Parameter,
                                                                      const GradientCheckInputs<float>&, float,
                                                                      std::span<const std::int64_t>);
template Result<std::vector<GradientCheckCell<double>>> gradient_check(const Geometry&, Loss, Parameter,
                                                                       const GradientCheckInputs<double>&, double,
                                                                       std::span<const std::int64_t>);

}  // namespace conv2d
