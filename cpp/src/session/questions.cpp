#include <algorithm>
#include <utility>

#include "conv2d/learning.hpp"
#include "session/no_problem.hpp"
#include "session/session.hpp"
#include "session/values.hpp"

/// What a session answers about the problem that it holds.
namespace conv2d::session {
namespace {

constexpr std::int64_t size_of(const Shape& shape) noexcept { return shape[0] * shape[1] * shape[2] * shape[3]; }

Status not_as_many(Slot slopes) {
  return {ErrorCode::length_mismatch, name_of(slopes), "there are not as many slopes as values"};
}

}  // namespace

Shaped Session::stage(Stage stage, const StageOptions& options) {
  if (!geometry_) return {.status = no_problem()};
  const auto shape = stage_shape(*geometry_, stage, options);
  if (!shape.ok()) return {.status = shape.status()};
  Status status = tensor(Slot::stage).reserve(size_of(*shape), to_string(stage));
  if (status.ok()) {
    status = compute_stage(*geometry_, stage, {.x = values(Slot::x), .w = values(Slot::w), .dy = values(Slot::dy)},
                           out(Slot::stage), options);
  }
  return {.status = std::move(status), .shape = *shape};
}

Framed Session::partial(Process process, std::int64_t steps) {
  if (!geometry_) return {.status = no_problem()};
  const auto shape = process_shape(*geometry_, process);
  if (!shape.ok()) return {.status = shape.status()};
  Status status = tensor(Slot::result).reserve(size_of(*shape), to_string(process));
  if (status.ok()) status = workspace_.reserve(process_workspace_floats(*geometry_, process), "workspace");
  if (status.ok()) {
    const PartialInputs inputs{
        .x = values(Slot::x), .w = values(Slot::w), .b = values(Slot::b), .dy = values(Slot::dy)};
    status = compute_partial(*geometry_, process, steps, inputs, out(Slot::result), workspace_.span());
  }
  return {.status = std::move(status), .shape = *shape, .total_steps = process_steps(*geometry_, process)};
}

Framed Session::fold(FoldMode mode, std::int64_t positions) {
  Shaped columns = stage(Stage::dx_col, {});
  if (!columns.status.ok()) return {.status = std::move(columns.status)};
  const std::int64_t all = geometry_->n * geometry_->oh * geometry_->ow;
  Status status = tensor(Slot::result).reserve(geometry_->x_size, "dx");
  if (status.ok()) {
    status = fold_partial(*geometry_, values(Slot::stage), mode, positions < 0 ? all : positions, out(Slot::result));
  }
  return {.status = std::move(status), .shape = geometry_->x_shape(), .total_steps = all};
}

Status Session::coverage() {
  if (!geometry_) return no_problem();
  Status status = tensor(Slot::result).reserve(geometry_->h * geometry_->w, "coverage");
  return status.ok() ? conv2d::coverage(*geometry_, out(Slot::result)) : status;
}

Measured Session::products(Slot a, Slot b, std::int64_t run) {
  const std::span<const std::int32_t> index_a = indices(IndexSlot::a);
  const std::span<const std::int32_t> index_b = indices(IndexSlot::b);
  const std::size_t length = static_cast<std::size_t>(std::max<std::int64_t>(run, 1));
  const std::size_t runs = index_a.size() / length + (index_a.size() % length == 0 ? 0 : 1);
  if (Status status = tensor(Slot::result).reserve(static_cast<std::int64_t>(index_a.size() + runs), "products");
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

Measured Session::max_abs_difference(Slot a, Slot b) const {
  const auto difference = conv2d::max_abs_difference(values(a), values(b));
  return difference.ok() ? Measured{.status = {}, .value = *difference} : Measured{.status = difference.status()};
}

Status Session::adjoint() {
  Status status = tensor(Slot::result).reserve(4, "numbers");
  return status.ok()
             ? adjoint_check(values(Slot::y), values(Slot::dy), values(Slot::x), values(Slot::dx), out(Slot::result))
             : status;
}

Status Session::random_dy(std::int64_t seed) {
  if (!geometry_) return no_problem();
  Status status = tensor(Slot::dy).reserve(geometry_->y_size, "dy");
  if (status.ok()) random_values(static_cast<std::uint32_t>(seed), out(Slot::dy));
  return status;
}

Measured Session::loss_dy(Loss loss) {
  if (!geometry_) return {.status = no_problem()};
  Status status = tensor(Slot::dy).reserve(geometry_->y_size, "dy");
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
    return {ErrorCode::invalid_argument, "index", "index names no cell of a dy that is the gradient of a loss"};
  }
  Status status = tensor(Slot::result).reserve(5, "numbers");
  if (status.ok()) {
    const auto at = static_cast<std::size_t>(index);
    const LossCell<float> made = conv2d::loss_cell(loss_, y[at], target[at], y.size());
    std::ranges::copy(std::array{y[at], target[at], made.difference, made.slope, made.gradient},
                      out(Slot::result).begin());
  }
  return status;
}

Status Session::tensor_of_pixels(std::int64_t channels) {
  const std::int64_t pixel_count = static_cast<std::int64_t>(pixels().size() / 4);
  const int depth = channels == 1 ? 1 : 3;
  Status status = tensor(Slot::result).reserve(pixel_count * depth, "image");
  if (status.ok()) values_of_pixels(pixels(), depth, out(Slot::result));
  pixels_.release();
  return status;
}

CheckSummary Session::gradient_check(const CheckOptions& options) {
  if (!geometry_) return {.status = no_problem()};
  const std::span<const std::int32_t> chosen = indices(IndexSlot::a);
  Buffer<std::int64_t> cells;
  if (Status status = cells.reserve(static_cast<std::int64_t>(chosen.size()), "indices"); !status.ok()) {
    return {.status = std::move(status)};
  }
  std::ranges::copy(chosen, cells.span().begin());
  // What the kernel made of the session's dy is on trial; a loss with a dy of its own has only the reference's
  // gradient.
  const std::span<const float> judged = values(gradient_of(options.parameter));
  const bool made = options.loss == Loss::linear && judged.size() == values(slot_of(options.parameter)).size();
  const CheckTensors tensors{.x = values(Slot::x),
                             .w = values(Slot::w),
                             .b = values(Slot::b),
                             .dy = values(Slot::dy),
                             .target = values(Slot::target),
                             .gradient = made ? judged : std::span<const float>{}};
  return fill_gradient_table(*geometry_, tensors, options, cells.span(), check_table_);
}

Status Session::descend(Slot learnt, Slot slopes, double rate) {
  return conv2d::descend(writable(learnt), values(slopes), rate);
}

Status Session::power_round(bool of_x, double rate) {
  const std::span<float> bias = of_x ? std::span<float>{} : out(Slot::b);
  const std::span<float> numbers = out(Slot::result);
  const Slot learnt = of_x ? Slot::x : Slot::w;
  const Slot slopes = of_x ? Slot::dx : Slot::dw;
  if (numbers.size() < 3) return {ErrorCode::length_mismatch, "result", "result takes three numbers"};
  if (values(learnt).size() != values(slopes).size()) return not_as_many(slopes);
  if (values(Slot::db).size() < bias.size()) return not_as_many(Slot::db);
  const double curvature =
      conv2d::power_round({writable(learnt), bias}, {values(slopes), values(Slot::db).first(bias.size())});
  const Pace found = pace(curvature, rate);
  numbers[0] = static_cast<float>(curvature);
  numbers[1] = static_cast<float>(found.largest_rate);
  numbers[2] = static_cast<float>(found.factor);
  return {};
}

}  // namespace conv2d::session
