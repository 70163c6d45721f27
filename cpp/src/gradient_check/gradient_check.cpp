#include "conv2d/gradient_check.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "base/scratch.hpp"
#include "base/text.hpp"
#include "conv2d/reference.hpp"
#include "gradient_check/dependents.hpp"
#include "gradient_check/loss.hpp"

namespace conv2d {
namespace {

Status check_length(std::string_view field, std::size_t actual, std::int64_t expected) {
  if (actual == static_cast<std::uint64_t>(expected)) return {};
  return {ErrorCode::length_mismatch, field, text(field, " has ", actual, " elements, but needs ", expected)};
}

std::int64_t size_of(const Geometry& g, Parameter parameter) noexcept {
  if (parameter == Parameter::x) return g.x_size;
  return parameter == Parameter::w ? g.w_size : g.k;
}

template <class T>
Status check_inputs(const Geometry& g, Loss loss, Parameter parameter, const GradientCheckInputs<T>& in) {
  if (parameter == Parameter::b && in.b.empty()) {
    return {ErrorCode::invalid_argument, "parameter", "there is no b whose gradient could be checked"};
  }
  const bool linear = loss == Loss::linear;
  for (Status status :
       {check_length("x", in.x.size(), g.x_size), check_length("w", in.w.size(), g.w_size),
        check_length("b", in.b.size(), in.b.empty() ? 0 : g.k),
        check_length(linear ? "dy" : "target", linear ? in.dy.size() : in.target.size(), g.y_size),
        check_length("gradient", in.gradient.size(), in.gradient.empty() ? 0 : size_of(g, parameter))}) {
    if (!status.ok()) return status;
  }
  return {};
}

template <class T>
Status check_epsilon(std::string_view field, T epsilon) {
  if (epsilon > 0 && std::isfinite(epsilon)) return {};
  return {ErrorCode::invalid_argument, field,
          text(epsilon <= 0 ? "a step is 0 or negative" : "a step is not finite", "; it must be positive and finite")};
}

Status check_index(std::string_view field, std::int64_t index, std::int64_t size) {
  if (index >= 0 && index < size) return {};
  return {ErrorCode::invalid_argument, field,
          text("cell ", index, " is not in the parameter, which has ", size, " cells")};
}

/// The unperturbed problem, and room to nudge one cell of its parameter.
template <class T>
class Checker {
 public:
  Checker(const Geometry& g, Loss loss, Parameter parameter, const GradientCheckInputs<T>& in) noexcept
      : g_(g), loss_(loss), parameter_(parameter), in_(in), other_(loss == Loss::linear ? in.dy : in.target) {}

  /// Runs the whole forward pass and, where no gradient is given, the analytic one. `cells`: how many results there
  /// will be.
  Status prepare(std::int64_t cells) {
    const std::int64_t size = size_of(g_, parameter_);
    Scratch<GradientCheckCell<T>> room_for_results;
    if (!y_.allocate(g_.y_size) || !dy_.allocate(g_.y_size) || !terms_.allocate(g_.y_size) || !nudged_.allocate(size) ||
        !gradient_.allocate(in_.gradient.empty() ? size : 0) || !room_for_results.allocate(cells)) {
      return {ErrorCode::out_of_memory, "",
              text("a gradient check of ", cells, " cells needs about ",
                   static_cast<std::int64_t>(sizeof(T)) * (3 * g_.y_size + 2 * size) +
                       static_cast<std::int64_t>(sizeof(GradientCheckCell<T>)) * cells,
                   " bytes, more than can be had")};
    }
    make_parameter_writable();
    reference::forward<T>(g_, in_.x, in_.w, in_.b, y_.span());
    for (std::size_t t = 0; t < other_.size(); ++t) terms_.span()[t] = loss_term(loss_, y_.span()[t], other_[t]);
    analytic_ = in_.gradient;
    if (!analytic_.empty()) return {};
    analytic_ = gradient_.span();
    if (Status status = loss_gradient<T>(loss_, y_.span(), other_, dy_.span()); !status.ok()) return status;
    const std::span<const T> dy = dy_.span();
    if (parameter_ == Parameter::x) reference::backward_data<T>(g_, dy, in_.w, gradient_.span());
    if (parameter_ == Parameter::w) reference::backward_weights<T>(g_, in_.x, dy, gradient_.span());
    if (parameter_ == Parameter::b) reference::backward_bias<T>(g_, dy, gradient_.span());
    return {};
  }

  [[nodiscard]] GradientCheckCell<T> check(std::int64_t index, T epsilon) const noexcept {
    const auto at = static_cast<std::size_t>(index);
    const T value = nudged_.span()[at];
    GradientCheckCell<T> cell;
    cell.index = index;
    cell.loss_plus = loss_with(index, value + epsilon);
    cell.loss_minus = loss_with(index, value - epsilon);
    nudged_.span()[at] = value;
    update_terms(index);
    cell.analytic = analytic_[at];
    cell.numeric = (cell.loss_plus - cell.loss_minus) / (2 * epsilon);
    const double analytic = static_cast<double>(cell.analytic);
    const double numeric = static_cast<double>(cell.numeric);
    cell.absolute_error = std::abs(analytic - numeric);
    cell.relative_error = cell.absolute_error / std::max({std::abs(analytic), std::abs(numeric),
                                                          static_cast<double>(std::numeric_limits<T>::min())});
    return cell;
  }

 private:
  /// Lets the parameter's span in `in_` point at a copy.
  void make_parameter_writable() noexcept {
    std::span<const T>& original = parameter_ == Parameter::x ? in_.x : parameter_ == Parameter::w ? in_.w : in_.b;
    std::copy(original.begin(), original.end(), nudged_.span().begin());
    original = nudged_.span();
  }

  [[nodiscard]] T loss_with(std::int64_t index, T value) const noexcept {
    nudged_.span()[static_cast<std::size_t>(index)] = value;
    update_terms(index);
    const std::span<const T> terms = terms_.span();
    const T sum = pairwise_sum<T>(0, terms.size(), [terms](std::size_t t) { return terms[t]; });
    return loss_of_sum(loss_, sum, terms.size());
  }

  void update_terms(std::int64_t index) const noexcept {
    const auto terms = y_view(terms_.span().data(), g_);
    const auto other = y_view(other_.data(), g_);
    for_each_fed_output(g_, parameter_, index, [&](std::int64_t n, std::int64_t i, std::int64_t j, std::int64_t k) {
      terms(n, i, j, k) = loss_term(loss_, output_at(g_, in_, n, i, j, k), other(n, i, j, k));
    });
  }

  const Geometry& g_;
  Loss loss_;
  Parameter parameter_;
  GradientCheckInputs<T> in_;
  std::span<const T> other_;  ///< dy or the target
  std::span<const T> analytic_;
  Scratch<T> y_, dy_, terms_, nudged_, gradient_;
};

}  // namespace

template <class T>
Result<std::vector<GradientCheckCell<T>>> gradient_check(const Geometry& g, Loss loss, Parameter parameter,
                                                         const GradientCheckInputs<T>& in, T epsilon,
                                                         std::span<const std::int64_t> indices) {
  if (Status status = check_inputs(g, loss, parameter, in); !status.ok()) return status;
  if (Status status = check_epsilon("epsilon", epsilon); !status.ok()) return status;
  const std::int64_t size = size_of(g, parameter);
  for (const std::int64_t index : indices) {
    if (Status status = check_index("indices", index, size); !status.ok()) return status;
  }
  const std::int64_t count = indices.empty() ? size : static_cast<std::int64_t>(indices.size());
  Checker<T> checker(g, loss, parameter, in);
  if (Status status = checker.prepare(count); !status.ok()) return status;
  std::vector<GradientCheckCell<T>> cells;
  cells.reserve(static_cast<std::size_t>(count));
  for (std::int64_t t = 0; t < count; ++t) {
    cells.push_back(checker.check(indices.empty() ? t : indices[static_cast<std::size_t>(t)], epsilon));
  }
  return cells;
}

template <class T>
Result<std::vector<GradientCheckCell<T>>> gradient_check_sweep(const Geometry& g, Loss loss, Parameter parameter,
                                                               const GradientCheckInputs<T>& in, std::int64_t index,
                                                               std::span<const T> epsilons) {
  if (Status status = check_inputs(g, loss, parameter, in); !status.ok()) return status;
  if (Status status = check_index("index", index, size_of(g, parameter)); !status.ok()) return status;
  for (const T epsilon : epsilons) {
    if (Status status = check_epsilon("epsilons", epsilon); !status.ok()) return status;
  }
  Checker<T> checker(g, loss, parameter, in);
  if (Status status = checker.prepare(static_cast<std::int64_t>(epsilons.size())); !status.ok()) return status;
  std::vector<GradientCheckCell<T>> cells;
  cells.reserve(epsilons.size());
  for (const T epsilon : epsilons) cells.push_back(checker.check(index, epsilon));
  return cells;
}

template Result<std::vector<GradientCheckCell<float>>> gradient_check(const Geometry&, Loss, Parameter,
                                                                      const GradientCheckInputs<float>&, float,
                                                                      std::span<const std::int64_t>);
template Result<std::vector<GradientCheckCell<double>>> gradient_check(const Geometry&, Loss, Parameter,
                                                                       const GradientCheckInputs<double>&, double,
                                                                       std::span<const std::int64_t>);
template Result<std::vector<GradientCheckCell<float>>> gradient_check_sweep(const Geometry&, Loss, Parameter,
                                                                            const GradientCheckInputs<float>&,
                                                                            std::int64_t, std::span<const float>);
template Result<std::vector<GradientCheckCell<double>>> gradient_check_sweep(const Geometry&, Loss, Parameter,
                                                                             const GradientCheckInputs<double>&,
                                                                             std::int64_t, std::span<const double>);

}  // namespace conv2d
