#include <algorithm>
#include <utility>

#include "base/errors.hpp"
#include "conv2d_teach/learning.hpp"
#include "session/session.hpp"

/// The queries of a session about its problem.
namespace conv2d::session {
namespace {

constexpr std::int64_t size_of(const Shape& shape) noexcept { return shape[0] * shape[1] * shape[2] * shape[3]; }

}  // namespace

StageResult Session::stage(Stage stage, const StageOptions& options) {
  if (!geometry_) return {.status = no_problem()};
  const auto shape = stage_shape(*geometry_, stage, options);
  if (!shape.ok()) return {.status = shape.status()};
  Status status = tensors_[Slot::stage].reserve(size_of(*shape), to_string(stage));
  if (status.ok()) {
    status = compute_stage(*geometry_, stage, {.x = values(Slot::x), .w = values(Slot::w), .dy = values(Slot::dy)},
                           out(Slot::stage), options);
  }
  return {.status = std::move(status), .shape = *shape};
}

PartialResult Session::partial(Process process, std::int64_t steps) {
  if (!geometry_) return {.status = no_problem()};
  const auto shape = process_shape(*geometry_, process);
  if (!shape.ok()) return {.status = shape.status()};
  Status status = tensors_[Slot::result].reserve(size_of(*shape), to_string(process));
  if (status.ok()) status = workspace_.reserve_at_least(process_workspace_floats(*geometry_, process), "workspace");
  if (status.ok()) {
    const PartialInputs inputs{
        .x = values(Slot::x), .w = values(Slot::w), .b = values(Slot::b), .dy = values(Slot::dy)};
    status = compute_partial(*geometry_, process, steps, inputs, out(Slot::result), workspace_.span());
  }
  return {.status = std::move(status), .shape = *shape, .total_steps = process_steps(*geometry_, process)};
}

PartialResult Session::fold(FoldMode mode, std::int64_t positions) {
  StageResult columns = stage(Stage::dx_col, {});
  if (!columns.status.ok()) return {.status = std::move(columns.status)};
  const std::int64_t all = geometry_->n * geometry_->oh * geometry_->ow;
  Status status = tensors_[Slot::result].reserve(geometry_->x_size, "dx");
  if (status.ok()) {
    status = fold_partial(*geometry_, values(Slot::stage), mode, positions < 0 ? all : positions, out(Slot::result));
  }
  return {.status = std::move(status), .shape = geometry_->x_shape(), .total_steps = all};
}

Status Session::coverage() {
  if (!geometry_) return no_problem();
  Status status = tensors_[Slot::result].reserve(geometry_->h * geometry_->w, "coverage");
  return status.ok() ? conv2d::coverage(*geometry_, out(Slot::result)) : status;
}

ScalarResult Session::products(Slot a, Slot b, std::int64_t group) {
  const std::span<const std::int32_t> index_a = indices(IndexSlot::a);
  const std::span<const std::int32_t> index_b = indices(IndexSlot::b);
  if (a == Slot::result || (b == Slot::result && !index_b.empty())) {
    return {.status = {ErrorCode::invalid_argument, "result",
                       "result is the output of products, so it cannot be a factor"}};
  }
  const std::size_t length = static_cast<std::size_t>(std::max<std::int64_t>(group, 1));
  const std::size_t groups = index_a.size() / length + (index_a.size() % length == 0 ? 0 : 1);
  if (Status status = tensors_[Slot::result].reserve(static_cast<std::int64_t>(index_a.size() + groups), "products");
      !status.ok()) {
    return {.status = std::move(status)};
  }
  const std::span<float> all = out(Slot::result);
  const std::span<float> terms = all.first(index_a.size());
  const std::span<const float> other = index_b.empty() ? std::span<const float>{} : values(b);
  const auto sum = conv2d::products(values(a), index_a, other, index_b, terms);
  if (!sum.ok()) return {.status = sum.status()};
  return {.status = subtotals(terms, length, all.subspan(index_a.size())), .value = *sum};
}

ScalarResult Session::max_abs_difference(Slot a, Slot b) const {
  const auto difference = conv2d::max_abs_difference(values(a), values(b));
  return difference.ok() ? ScalarResult{.status = {}, .value = *difference}
                         : ScalarResult{.status = difference.status()};
}

Status Session::adjoint() {
  Status status = tensors_[Slot::result].reserve(4, "result");
  return status.ok()
             ? adjoint_check(values(Slot::y), values(Slot::dy), values(Slot::x), values(Slot::dx), out(Slot::result))
             : status;
}

Status Session::random_dy(std::int64_t seed) {
  if (!geometry_) return no_problem();
  Status status = reserve(Slot::dy, geometry_->y_size);
  if (status.ok()) random_values(static_cast<std::uint32_t>(seed), out(Slot::dy));
  return status;
}

ScalarResult Session::loss_dy(Loss loss) {
  if (!geometry_) return {.status = no_problem()};
  Status status = reserve(Slot::dy, geometry_->y_size);
  if (status.ok()) status = loss_gradient<float>(loss, values(Slot::y), values(Slot::target), out(Slot::dy));
  if (!status.ok()) return {.status = std::move(status)};
  loss_ = loss;
  const auto value = loss_value<float>(loss, values(Slot::y), values(Slot::target));
  return {.status = {}, .value = static_cast<double>(*value)};
}

Status Session::loss_cell(std::int64_t index) {
  const std::span<const float> y = values(Slot::y);
  const std::span<const float> target = values(Slot::target);
  if (loss_ == Loss::linear || index < 0 || index >= static_cast<std::int64_t>(std::min(y.size(), target.size()))) {
    return {ErrorCode::invalid_argument, "index", "index is outside dy, or dy is not the gradient of a loss"};
  }
  Status status = tensors_[Slot::result].reserve(5, "result");
  if (status.ok()) {
    const auto at = static_cast<std::size_t>(index);
    const LossCell<float> cell = conv2d::loss_cell(loss_, y[at], target[at], y.size());
    std::ranges::copy(std::array{y[at], target[at], cell.difference, cell.slope, cell.gradient},
                      out(Slot::result).begin());
  }
  return status;
}

Status Session::tensor_of_pixels(std::int64_t channels) {
  const std::int64_t pixel_count = static_cast<std::int64_t>(pixels().size() / 4);
  const int components = channels == 1 ? 1 : 3;
  Status status = tensors_[Slot::result].reserve(pixel_count * components, "image");
  if (status.ok()) values_of_pixels(pixels(), components, out(Slot::result));
  pixels_.release();
  return status;
}

Status Session::sgd_step(Slot parameter, Slot gradient, double rate) {
  return conv2d::sgd_step(writable(parameter), values(gradient), rate);
}

Status Session::power_iteration_step(bool of_x, double rate) {
  const std::span<float> bias = of_x ? std::span<float>{} : out(Slot::b);
  const std::span<float> result = out(Slot::result);
  const Slot parameter = of_x ? Slot::x : Slot::w;
  const Slot gradient = of_x ? Slot::dx : Slot::dw;
  if (result.size() < 3) return {ErrorCode::length_mismatch, "result", "result needs at least 3 elements"};
  const std::size_t biases = values(Slot::db).size();
  Status lengths = check_lengths({{to_string(gradient), values(gradient).size(), std::ssize(values(parameter))},
                                  {"db", biases, biases < bias.size() ? std::ssize(bias) : -1}});
  if (!lengths.ok()) return lengths;
  const double curvature = conv2d::power_iteration_step({writable(parameter), bias},
                                                        {values(gradient), values(Slot::db).first(bias.size())});
  const StepSize stability = step_size(curvature, rate);
  result[0] = static_cast<float>(curvature);
  result[1] = static_cast<float>(stability.largest_rate);
  result[2] = static_cast<float>(stability.factor);
  return {};
}

}  // namespace conv2d::session
