#include <array>
#include <cmath>
#include <limits>
#include <utility>

#include "base/errors.hpp"
#include "session/session.hpp"

/// The steps of a session.
namespace conv2d::session {

Status Session::check_step(Step step) const noexcept {
  if (!chain_) return no_problem("layers");
  if (Status status = check_enumerator("operation", step.operation, Operation::loss); !status.ok()) return status;
  if (step.operation == Operation::loss) {
    if (has_target()) return {};
    return {ErrorCode::invalid_argument, "operation", "dy is given, so there is no step that computes a loss"};
  }
  if (Status status = check_layer(step.layer); !status.ok()) return status;
  const Operands reads = operands_of(chain_->layer(static_cast<std::size_t>(step.layer)).kind, pass_of(step.operation));
  if (reads.x || reads.dy) return {};
  return {ErrorCode::invalid_argument, "operation", "the layer has no weights, so it has no such step"};
}

/// Precondition: check_step.
Session::Reads Session::reads_of(Step step) const noexcept {
  Reads reads;
  if (step.operation == Operation::loss) {
    reads.add({last(), Slot::y});
    reads.add({0, Slot::target});
    return reads;
  }
  const std::string_view kind = chain_->layer(static_cast<std::size_t>(step.layer)).kind;
  const Operands of = operands_of(kind, pass_of(step.operation));
  for (const auto& [is_read, slot] : {std::pair{of.x, Slot::x}, std::pair{of.w, Slot::w}, std::pair{of.b, Slot::b},
                                      std::pair{of.winners, Slot::y}, std::pair{of.dy, Slot::dy}}) {
    if (is_read) reads.add(placed({step.layer, slot}));
  }
  return reads;
}

bool Session::is_current(Step step) const noexcept {
  if (step.operation == Operation::loss) step.layer = 0;
  if (!check_step(step).ok()) return false;
  const Ran& last_run = ran(step);
  if (!last_run.is_done) return false;
  const Reads reads = reads_of(step);
  for (std::size_t i = 0; i < reads.count; ++i) {
    if (at(reads.ids[i]).version != last_run.read[i] || !is_current(reads.ids[i])) return false;
  }
  return true;
}

std::optional<Step> Session::next(Operations operations) const noexcept {
  const auto is_due = [&](Step step) {
    return (operations & only(step.operation)) != 0 && check_step(step).ok() && !is_current(step);
  };
  for (std::int64_t layer = 0; layer <= last(); ++layer) {
    if (const Step step{layer, Operation::forward}; is_due(step)) return step;
  }
  if (const Step step{0, Operation::loss}; is_due(step)) return step;
  for (std::int64_t layer = last(); layer >= 0; --layer) {
    for (const Operation operation :
         {Operation::backward_data, Operation::backward_weights, Operation::backward_bias}) {
      if (const Step step{layer, operation}; is_due(step)) return step;
    }
  }
  return std::nullopt;
}

Status Session::run(Step step, const ProgressHook& progress) {
  if (step.operation == Operation::loss) step.layer = 0;
  if (Status status = check_step(step); !status.ok()) return status;
  const Reads reads = reads_of(step);
  Ran now{.is_done = true};
  for (std::size_t i = 0; i < reads.count; ++i) {
    const TensorId id = reads.ids[i];
    now.read[i] = at(id).version;
    if (is_current(id)) continue;
    return {ErrorCode::invalid_argument, to_string(id.slot),
            "the step reads a tensor that is not that of the present values: run its step first"};
  }
  const bool is_loss = step.operation == Operation::loss;
  const TensorId result =
      is_loss ? TensorId{last(), Slot::dy} : placed({step.layer, output_of(pass_of(step.operation))});
  ran(step) = {};
  at(result).version = 0;
  Status status =
      is_loss ? run_loss() : run_pass(static_cast<std::size_t>(step.layer), pass_of(step.operation), progress);
  if (!status.ok()) return status;
  touch(result);
  ran(step) = now;
  return {};
}

Status Session::run_loss() {
  const std::span<const float> y = values(last(), Slot::y), target = values(0, Slot::target);
  Tensor& dy = at({last(), Slot::dy});
  Status status = dy.values.reserve(std::ssize(y), to_string(Slot::dy));
  const LossChannels channels = LossChannels::of(chain_->layers().back());
  if (status.ok()) status = loss_gradient<float>(chain_->loss(), y, target, dy.values.span(), channels);
  if (!status.ok()) return status;
  loss_value_ = static_cast<double>(*loss_value<float>(chain_->loss(), y, target, channels));
  return {};
}

Status Session::run_pass(std::size_t layer, Pass pass, const ProgressHook& progress) {
  const LayerInfo& info = chain_->layer(layer);
  const Plan* const plan = chain_->plan(layer, pass);
  const TensorId result = placed({static_cast<std::int64_t>(layer), output_of(pass)});
  Status status = at(result).values.reserve(info.result_size(pass), to_string(result.slot));
  if (status.ok() && pass == Pass::forward) status = layers_[layer].winners.reserve(info.winners_size, "winners");
  if (status.ok()) {
    status = workspace_.reserve_at_least(plan ? plan->workspace_floats() : info.workspace_floats, "workspace");
  }
  if (!status.ok()) return status;
  std::array<LayerTensors<float>, kMaxLayers> layers;
  for (std::size_t i = 0; i < chain_->size(); ++i) {
    auto& own = layers_[i].tensors;
    layers[i] = {.w = own[Slot::w].values.span(),
                 .b = own[Slot::b].values.span(),
                 .y = own[Slot::y].values.span(),
                 .winners = layers_[i].winners.span(),
                 .dy = own[Slot::dy].values.span(),
                 .dw = own[Slot::dw].values.span(),
                 .db = own[Slot::db].values.span()};
  }
  if (plan && (pass == Pass::forward || pass == Pass::backward_data)) {
    const std::span<const float> packed = layers_[layer].packed.for_run(*plan, layers[layer].w);
    (pass == Pass::forward ? layers[layer].packed : layers[layer].packed_backward) = packed;
  }
  return conv2d::run_pass(
      *chain_, layer, pass,
      {.x = out({0, Slot::x}), .dx = out({0, Slot::dx}), .layers = std::span(layers).first(chain_->size())},
      {.workspace = workspace_.span(), .progress = progress, .team = team_});
}

double Session::loss() const noexcept {
  return is_current(Step{0, Operation::loss}) ? loss_value_ : std::numeric_limits<double>::quiet_NaN();
}

}  // namespace conv2d::session
