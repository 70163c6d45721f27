#include "conv2d_teach/chain.hpp"

#include <algorithm>
#include <utility>

#include "algorithms/algorithm_entry.hpp"
#include "base/checked.hpp"
#include "base/errors.hpp"
#include "chain/content.hpp"
#include "losses/loss_tables.hpp"
#include "micro_kernels/kernel_set.hpp"

namespace conv2d {

using layers::in_layer;

std::size_t Chain::size() const noexcept { return content_->layers.size(); }
std::span<const LayerInfo> Chain::layers() const noexcept { return content_->layers; }
const LayerInfo& Chain::layer(std::size_t i) const noexcept { return content_->layers[i]; }
const ChainMemory& Chain::memory() const noexcept { return content_->memory; }

const Plan* Chain::plan(std::size_t i, Pass pass) const noexcept {
  const auto& plan = content_->plans[i][static_cast<std::size_t>(pass)];
  return plan ? &*plan : nullptr;
}

std::string_view Chain::algorithm(std::size_t i, Pass pass) const noexcept {
  const Plan* const of_pass = plan(i, pass);
  return of_pass ? of_pass->algorithm() : std::string_view{};
}

std::string_view Chain::loss() const noexcept { return content_->loss->name; }
bool Chain::has_target() const noexcept { return !content_->loss->is_linear(); }
std::string_view Chain::instruction_set() const noexcept { return content_->kernels->instruction_set; }

namespace {

/// Number of layers before the last kink: that of the loss or of a layer.
std::size_t layers_before_a_kink(std::span<const LayerInfo> infos, bool has_kink_behind) noexcept {
  std::size_t i = infos.size();
  if (has_kink_behind) return i;
  while (i > 0 && !layers::rules_of(infos[i - 1]).bends) --i;
  return i == 0 ? 0 : i - 1;
}

/// Plans a pass. `name`: as PlanOptions::algorithm. Errors: those of conv2d::plan, with the layer, but for those of the
/// options, which belong to no layer.
Status plan_pass(ChainContent& content, std::size_t i, Pass pass, std::string_view name) {
  const LayerInfo& info = content.layers[i];
  PlanOptions options = content.options;
  options.algorithm = name;
  const bool strict =
      name.empty() && pass == Pass::forward && i < layers_before_a_kink(content.layers, content.loss->has_kink);
  options.accuracy = content.accuracy.value_or(strict ? Accuracy::strict : Accuracy::fast);
  const Result<Plan> planned = layers::runner_of(info).plan(info.geometry, pass, options);
  if (planned.ok()) {
    content.plans[i][static_cast<std::size_t>(pass)] = *planned;
    return {};
  }
  const std::string_view field = planned.status().field;
  return field == "threads" || field == "accuracy" ? planned.status() : in_layer(i, info.kind, planned.status());
}

/// Sets the workspace of each layer with plans, and counts the elements of all tensors. Error: overflow.
Status count(ChainContent& content) {
  ChainMemory& memory = content.memory = {};
  CheckedInt activations = 0, winners = 0, parameters = 0, dx = content.layers.front().x_size;
  for (std::size_t i = 0; i < content.layers.size(); ++i) {
    LayerInfo& info = content.layers[i];
    activations = activations + info.y_size;
    winners = winners + info.winners_size;
    parameters = parameters + info.w_size + info.b_size;
    std::int64_t workspace = 0;
    for (const auto& plan : content.plans[i]) workspace = std::max(workspace, plan ? plan->workspace_floats() : 0);
    if (content.plans[i].front()) info.workspace_floats = workspace;
    memory.workspace_floats = std::max(memory.workspace_floats, info.workspace_floats);
  }
  const CheckedInt gradients = dx + activations + parameters;
  memory.activation_floats = activations.value_or(-1);
  memory.winners = winners.value_or(-1);
  memory.parameter_floats = parameters.value_or(-1);
  memory.gradient_floats = gradients.value_or(-1);
  if (gradients.fits() && winners.fits()) return {};
  return {ErrorCode::overflow, "layers", "the tensors of the chain have more than 2^63 elements"};
}

bool has_plans(const LayerInfo& info) noexcept { return layers::rules_of(info).has_weights; }

/// The error of an algorithm for a pass that has no choice of it.
Status check_algorithm(std::span<const LayerInfo> infos, const LayerAlgorithm& algorithm) {
  Status status = check_enumerator("algorithms", algorithm.pass, Pass::backward_bias);
  if (!status.ok() || (algorithm.layer < infos.size() && has_plans(infos[algorithm.layer]))) return status;
  return {ErrorCode::invalid_argument, "algorithms",
          text("layers[", algorithm.layer, "] is none of the chain's layers with weights")};
}

}  // namespace

Result<Chain> plan_chain(const ChainDesc& desc, const ChainOptions& options) {
  Result<std::vector<LayerInfo>> resolved = resolve_chain(desc);
  if (!resolved.ok()) return resolved.status();
  const losses::Entry* const loss = losses::find(options.loss);
  if (!loss) return losses::no_such_loss();
  const auto kernels = algorithm::kernels_of(options.instruction_set);
  if (!kernels.ok()) return kernels.status();
  ChainContent content{.layers = std::move(resolved).value(),
                       .plans = decltype(ChainContent::plans)(desc.layers.size()),
                       .kernels = &layer_kernels::of((*kernels)->instruction_set),
                       .loss = loss,
                       .options = {.threads = options.threads,
                                   .packed_weights = options.packed_weights,
                                   .instruction_set = (*kernels)->instruction_set},
                       .accuracy = options.accuracy};
  for (const LayerAlgorithm& algorithm : options.algorithms) {
    if (Status status = check_algorithm(content.layers, algorithm); !status.ok()) return status;
  }
  for (std::size_t i = 0; i < content.layers.size(); ++i) {
    if (!has_plans(content.layers[i])) continue;
    for (const Pass pass : {Pass::forward, Pass::backward_data, Pass::backward_weights, Pass::backward_bias}) {
      const auto forced = std::ranges::find_if(
          options.algorithms, [&](const LayerAlgorithm& one) { return one.layer == i && one.pass == pass; });
      const std::string_view name = forced == options.algorithms.end() ? std::string_view{} : forced->name;
      if (Status status = plan_pass(content, i, pass, name); !status.ok()) return status;
    }
  }
  if (Status status = count(content); !status.ok()) return status;
  return ChainContent::make(std::move(content));
}

Result<Chain> with_algorithm(const Chain& chain, const LayerAlgorithm& algorithm) {
  if (Status status = check_algorithm(chain.layers(), algorithm); !status.ok()) return status;
  ChainContent content = ChainContent::of(chain);
  Status status = plan_pass(content, algorithm.layer, algorithm.pass, algorithm.name);
  if (status.ok()) status = count(content);
  if (!status.ok()) return status;
  return ChainContent::make(std::move(content));
}

}  // namespace conv2d
