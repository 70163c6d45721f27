#include <algorithm>
#include <utility>

#include "base/errors.hpp"
#include "conv2d/transposed.hpp"
#include "conv2d_teach/learning.hpp"
#include "session/session.hpp"

/// The questions of a session about its layers.
namespace conv2d::session {
namespace {

constexpr std::int64_t size_of(const Shape& shape) noexcept { return shape[0] * shape[1] * shape[2] * shape[3]; }

}  // namespace

Result<const LayerInfo*> Session::weighted(std::int64_t layer) const noexcept {
  if (!chain_) return no_problem("layers");
  if (Status status = check_layer(layer); !status.ok()) return status;
  const LayerInfo& info = chain_->layer(static_cast<std::size_t>(layer));
  if (info.w_size > 0) return &info;
  return Status{ErrorCode::unsupported, "layer", "the layer has no weights"};
}

Result<const Geometry*> Session::convolution(std::int64_t layer) const noexcept {
  const auto info = weighted(layer);
  if (!info.ok()) return info.status();
  if (!(*info)->is_transposed) return &(*info)->geometry;
  return Status{ErrorCode::unsupported, "layer", "the layer is no convolution"};
}

std::vector<AlgorithmInfo> Session::algorithms(std::int64_t layer, Pass pass) const {
  const auto info = weighted(layer);
  if (!info.ok()) return {};
  const bool is_transposed = (*info)->is_transposed;
  return conv2d::algorithms((*info)->geometry, is_transposed ? transposed::convolution_pass(pass) : pass, options());
}

StageResult Session::stage(std::int64_t layer, Stage stage, const StageOptions& options) {
  const auto g = convolution(layer);
  if (!g.ok()) return {.status = g.status()};
  const auto shape = stage_shape(**g, stage, options);
  if (!shape.ok()) return {.status = shape.status()};
  const auto to = scratch(Slot::stage, size_of(*shape), to_string(stage));
  if (!to.ok()) return {.status = to.status()};
  Status status = compute_stage(
      **g, stage, {.x = values(layer, Slot::x), .w = values(layer, Slot::w), .dy = values(layer, Slot::dy)}, *to,
      options);
  return {.status = std::move(status), .shape = *shape};
}

PartialResult Session::partial(std::int64_t layer, Process process, std::int64_t steps) {
  const auto g = convolution(layer);
  if (!g.ok()) return {.status = g.status()};
  const auto shape = process_shape(**g, process);
  if (!shape.ok()) return {.status = shape.status()};
  const auto to = scratch(Slot::result, size_of(*shape), to_string(process));
  if (!to.ok()) return {.status = to.status()};
  Status status = workspace_.reserve_at_least(process_workspace_floats(**g, process), "workspace");
  if (status.ok()) {
    const PartialInputs inputs{.x = values(layer, Slot::x),
                               .w = values(layer, Slot::w),
                               .b = values(layer, Slot::b),
                               .dy = values(layer, Slot::dy)};
    status = compute_partial(**g, process, steps, inputs, *to, workspace_.span());
  }
  return {.status = std::move(status), .shape = *shape, .total_steps = process_steps(**g, process)};
}

PartialResult Session::fold(std::int64_t layer, FoldMode mode, std::int64_t positions) {
  StageResult columns = stage(layer, Stage::dx_col, {});
  if (!columns.status.ok()) return {.status = std::move(columns.status)};
  const Geometry& g = chain_->layer(static_cast<std::size_t>(layer)).geometry;
  const std::int64_t all = g.n * g.oh * g.ow;
  const auto to = scratch(Slot::result, g.x_size, "dx");
  if (!to.ok()) return {.status = to.status()};
  Status status = fold_partial(g, values(0, Slot::stage), mode, positions < 0 ? all : positions, *to);
  return {.status = std::move(status), .shape = g.x_shape(), .total_steps = all};
}

Status Session::coverage(std::int64_t layer) {
  const auto info = weighted(layer);
  if (!info.ok()) return info.status();
  const Geometry& g = (*info)->geometry;
  const auto to = scratch(Slot::result, g.h * g.w, "coverage");
  return to.ok() ? conv2d::coverage(g, *to) : to.status();
}

ScalarResult Session::products(std::int64_t layer, Slot a, Slot b, std::int64_t group) {
  if (const auto info = weighted(layer); !info.ok()) return {.status = info.status()};
  const std::span<const std::int32_t> index_a = indices(IndexSlot::a);
  const std::span<const std::int32_t> index_b = indices(IndexSlot::b);
  if (a == Slot::result || (b == Slot::result && !index_b.empty())) {
    return {.status = {ErrorCode::invalid_argument, "result",
                       "result is the output of products, so it cannot be a factor"}};
  }
  const std::size_t length = static_cast<std::size_t>(std::max<std::int64_t>(group, 1));
  const std::size_t groups = index_a.size() / length + (index_a.size() % length == 0 ? 0 : 1);
  const auto all = scratch(Slot::result, static_cast<std::int64_t>(index_a.size() + groups), "products");
  if (!all.ok()) return {.status = all.status()};
  const std::span<float> terms = all->first(index_a.size());
  const std::span<const float> other = index_b.empty() ? std::span<const float>{} : values(layer, b);
  const auto sum = conv2d::products(values(layer, a), index_a, other, index_b, terms);
  if (!sum.ok()) return {.status = sum.status()};
  return {.status = subtotals(terms, length, all->subspan(index_a.size())), .value = *sum};
}

ScalarResult Session::max_abs_difference(TensorId a, TensorId b) const {
  const auto difference = conv2d::max_abs_difference(values(a), values(b));
  return difference.ok() ? ScalarResult{.status = {}, .value = *difference}
                         : ScalarResult{.status = difference.status()};
}

Status Session::adjoint(std::int64_t layer) {
  const auto g = convolution(layer);
  if (!g.ok()) return g.status();
  const Plan& plan = *planned(layer, Pass::forward);
  const auto y = scratch(Slot::stage, (*g)->y_size, "y");
  if (!y.ok()) return y.status();
  Status status = workspace_.reserve_at_least(plan.workspace_floats(), "workspace");
  if (status.ok()) {
    status = conv2d::forward(plan, values(layer, Slot::x), values(layer, Slot::w), {}, *y,
                             {.workspace = workspace_.span(), .progress = {}, .team = team_});
  }
  if (!status.ok()) return status;
  const auto to = scratch(Slot::result, 4, "result");
  status = to.ok() ? adjoint_check(*y, values(layer, Slot::dy), values(layer, Slot::x), values(layer, Slot::dx), *to)
                   : to.status();
  at({0, Slot::stage}).release();
  return status;
}

Status Session::random_dy(std::int64_t seed) {
  if (!chain_) return no_problem("layers");
  const TensorId dy{last(), Slot::dy};
  Status status = reserve(dy, chain_->layer(size() - 1).y_size);
  if (status.ok()) random_values(static_cast<std::uint32_t>(seed), out(dy));
  return status;
}

Status Session::loss_cell(std::int64_t index) {
  const bool has_loss = is_current(Step{0, Operation::loss});
  const std::span<const float> y = has_loss ? values(last(), Slot::y) : std::span<const float>{};
  if (index < 0 || std::cmp_greater_equal(index, y.size())) {
    return {ErrorCode::invalid_argument, "index", "index is outside dy, or dy is not the gradient of a loss"};
  }
  const auto to = scratch(Slot::result, 9, "result");
  if (!to.ok()) return to.status();
  const auto at = static_cast<std::size_t>(index);
  const std::span<const float> target = values(0, Slot::target);
  const LossCell<float> cell =
      conv2d::loss_cell(chain_->loss(), y, target, at, LossChannels::of(chain_->layers().back()));
  std::ranges::copy(std::array{y[at], target[at], cell.difference, cell.slope, cell.gradient, cell.largest, cell.power,
                               cell.total, cell.share},
                    to->begin());
  return {};
}

Status Session::averages(std::int64_t layer) {
  if (!chain_) return no_problem("layers");
  if (Status status = check_layer(layer); !status.ok()) return status;
  const LayerInfo& info = chain_->layer(static_cast<std::size_t>(layer));
  if (info.kind != "average_pool") {
    return {ErrorCode::unsupported, "layer", "the layer is no average_pool"};
  }
  const std::span<const float> x = values(layer, Slot::x);
  if (Status status = check_lengths({{"x", x.size(), info.x_size}}); !status.ok()) return status;
  const auto sums = scratch(Slot::result, info.y_size, "sums");
  if (!sums.ok()) return sums.status();
  if (Status status = reserve_indices(IndexSlot::a, info.y_size); !status.ok()) return status;
  const std::span<std::int32_t> counts = indices(IndexSlot::a);
  for (std::size_t i = 0; i < counts.size(); ++i) {
    const AverageCell cell = average_cell(info, x, static_cast<std::int64_t>(i));
    (*sums)[i] = cell.sum;
    counts[i] = static_cast<std::int32_t>(cell.count);
  }
  return {};
}

Status Session::tensor_of_pixels(std::int64_t channels) {
  const std::int64_t pixel_count = static_cast<std::int64_t>(pixels().size() / 4);
  const int components = channels == 1 ? 1 : 3;
  const auto to = scratch(Slot::result, pixel_count * components, "image");
  if (to.ok()) values_of_pixels(pixels(), components, *to);
  pixels_.release();
  return to.ok() ? Status{} : to.status();
}

Status Session::sgd_step(bool of_x, double rate) {
  if (!chain_) return no_problem("layers");
  struct Update {
    TensorId to;
    std::span<const float> slopes;
  };
  std::array<Update, 2 * kMaxLayers> updates;
  std::size_t count = 0;
  // All gradients, before the first write: they are not current after it.
  const auto add = [&](std::int64_t layer, Slot parameter, Slot gradient) {
    const std::span<const float> slopes = values(layer, gradient);
    updates[count++] = {.to = {layer, parameter}, .slopes = slopes};
    return check_lengths({{to_string(gradient), slopes.size(), std::ssize(values(layer, parameter))}});
  };
  Status status;
  if (of_x) status = add(0, Slot::x, Slot::dx);
  for (std::int64_t layer = 0; !of_x && status.ok() && layer <= last(); ++layer) {
    if (!weighted(layer).ok()) continue;
    status = add(layer, Slot::w, Slot::dw);
    if (status.ok() && !values(layer, Slot::b).empty()) status = add(layer, Slot::b, Slot::db);
  }
  for (std::size_t i = 0; status.ok() && i < count; ++i) {
    status = conv2d::sgd_step(writable(updates[i].to), updates[i].slopes, rate);
  }
  return status;
}

Status Session::subtract(TensorId to, TensorId of, double rate) {
  Status status = check_id(to);
  if (!status.ok()) return status;
  const TensorId place = placed(to);
  status = check_writable(place);
  if (!status.ok()) return status;
  const std::span<const float> values_of = values(of);
  return conv2d::sgd_step(writable(place), values_of, rate);
}

Status Session::power_iteration_step(bool of_x, double rate) {
  if (const auto info = weighted(0); !info.ok()) return info.status();
  if (size() > 1) return {ErrorCode::unsupported, "layers", "a power iteration is that of one layer"};
  const Slot parameter = of_x ? Slot::x : Slot::w;
  const Slot gradient = of_x ? Slot::dx : Slot::dw;
  const std::span<float> result = out({0, Slot::result});
  if (result.size() < 3) return {ErrorCode::length_mismatch, "result", "result needs at least 3 elements"};
  // Before the first write: a result is not current any more when a tensor that it was computed from changes.
  const std::span<const float> slopes = values(0, gradient), slopes_of_b = values(0, Slot::db);
  const std::size_t biases = of_x ? 0 : values(0, Slot::b).size();
  Status lengths =
      check_lengths({{to_string(gradient), slopes.size(), std::ssize(values(0, parameter))},
                     {"db", slopes_of_b.size(), slopes_of_b.size() < biases ? static_cast<std::int64_t>(biases) : -1}});
  if (!lengths.ok()) return lengths;
  const std::span<float> bias = of_x ? std::span<float>{} : writable({0, Slot::b});
  const double curvature =
      conv2d::power_iteration_step({writable({0, parameter}), bias}, {slopes, slopes_of_b.first(biases)});
  const StepSize stability = step_size(curvature, rate);
  result[0] = static_cast<float>(curvature);
  result[1] = static_cast<float>(stability.largest_rate);
  result[2] = static_cast<float>(stability.factor);
  return {};
}

}  // namespace conv2d::session
