#include "conv2d_teach/chain.hpp"

#include <algorithm>
#include <utility>

#include "algorithms/entry.hpp"
#include "base/checked.hpp"
#include "base/errors.hpp"
#include "layers/entry.hpp"
#include "micro_kernels/kernel_set.hpp"

namespace conv2d {

struct ChainContent {
  std::vector<layers::Prepared> layers;
  ChainMemory memory;
};

/// The only friend of Chain.
struct ChainAccess {
  static Chain make(std::shared_ptr<const ChainContent> content) noexcept { return Chain(std::move(content)); }
  static const layers::Prepared& layer(const Chain& chain, std::size_t i) noexcept { return chain.content_->layers[i]; }
};

using layers::entry_of;
using layers::field_of;
using layers::Prepared;

std::size_t Chain::size() const noexcept { return content_->layers.size(); }
const LayerInfo& Chain::layer(std::size_t i) const noexcept { return content_->layers[i].info; }
const ChainMemory& Chain::memory() const noexcept { return content_->memory; }

std::string_view Chain::algorithm(std::size_t i, Pass pass) const noexcept {
  const auto& plan = content_->layers[i].plans[static_cast<std::size_t>(pass)];
  return plan ? plan->algorithm() : std::string_view{};
}

std::string_view Chain::instruction_set() const noexcept { return content_->layers.front().kernels->instruction_set; }

namespace {

/// The error of a layer, with its place in front of the field and the message.
Status in_layer(std::size_t i, std::string_view kind, const Status& status) noexcept {
  return {status.code, field_of(i, status.field), text("layers[", i, "] (", kind, "): ", status.message)};
}

Status check_input(const ChainDesc& desc) {
  struct Size {
    std::string_view field, what;
    std::int64_t value, least;
  };
  for (const auto& [field, what, value, least] :
       {Size{"n", "batch size", desc.n, 0}, Size{"h", "input height", desc.h, 1}, Size{"w", "input width", desc.w, 1},
        Size{"c", "number of input channels", desc.c, 1}}) {
    if (value >= least) continue;
    return {ErrorCode::invalid_size, field, text(what, " is ", value, ", but must be at least ", least)};
  }
  const Result<Geometry> input = resolve({.layout = desc.layout, .n = desc.n, .h = desc.h, .w = desc.w, .c = desc.c});
  if (!input.ok()) return input.status();
  if (!desc.layers.empty() && desc.layers.size() <= kMaxLayers) return {};
  return {ErrorCode::invalid_argument, "layers",
          text("the chain has ", desc.layers.size(), " layers, but must have 1 to ", kMaxLayers)};
}

/// The layer with an x of the sizes of `windows`: n, h, w, c and layout.
Result<Prepared> prepare(const LayerDesc& desc, ConvDesc windows, const PlanOptions& options,
                         const layer_kernels::LayerKernels& kernels) {
  const layers::Entry& entry = *entry_of(desc.kind);
  if (Status status = entry.complete(windows); !status.ok()) return status;
  const Result<Geometry> geometry = resolve(windows);
  if (!geometry.ok()) return geometry.status();
  LayerDesc completed = desc;
  completed.windows = windows;
  Prepared layer{.info = {.desc = completed,
                          .geometry = *geometry,
                          .w_size = entry.has_weights ? geometry->w_size : 0,
                          .b_size = entry.has_weights ? geometry->k : 0,
                          .winners_size = entry.has_winners ? geometry->y_size : 0},
                 .kernels = &kernels};
  if (entry.prepare) {
    if (Status status = entry.prepare(layer, options); !status.ok()) return status;
  }
  return layer;
}

/// Elements of all tensors; false if they cannot be counted.
bool count(std::span<const Prepared> layers, ChainMemory& memory) noexcept {
  CheckedInt activations = 0, winners = 0, parameters = 0, dx = layers.front().info.geometry.x_size;
  for (const Prepared& layer : layers) {
    activations = activations + layer.info.geometry.y_size;
    winners = winners + layer.info.winners_size;
    parameters = parameters + layer.info.w_size + layer.info.b_size;
    memory.workspace_floats = std::max(memory.workspace_floats, layer.info.workspace_floats);
  }
  const CheckedInt gradients = dx + activations + parameters;
  memory.activation_floats = activations.value_or(-1);
  memory.winners = winners.value_or(-1);
  memory.parameter_floats = parameters.value_or(-1);
  memory.gradient_floats = gradients.value_or(-1);
  return gradients.fits() && winners.fits();
}

}  // namespace

Result<Chain> plan_chain(const ChainDesc& desc, const ChainOptions& options) {
  if (Status status = check_input(desc); !status.ok()) return status;
  const auto kernels = algorithm::kernels_of(options.instruction_set);
  if (!kernels.ok()) return kernels.status();
  const PlanOptions plan_options{
      .threads = options.threads, .instruction_set = options.instruction_set, .accuracy = options.accuracy};
  auto content = std::make_shared<ChainContent>();
  ConvDesc input{.layout = desc.layout, .n = desc.n, .h = desc.h, .w = desc.w, .c = desc.c};
  for (std::size_t i = 0; i < desc.layers.size(); ++i) {
    const LayerDesc& layer = desc.layers[i];
    if (!entry_of(layer.kind)) {
      return Status{ErrorCode::invalid_argument, field_of(i, "kind"),
                    text("layers[", i, "].kind is ", static_cast<int>(layer.kind), ", but must be a LayerKind")};
    }
    ConvDesc windows = layer.windows;
    windows.layout = input.layout;
    windows.n = input.n;
    windows.h = input.h;
    windows.w = input.w;
    windows.c = input.c;
    const Result<Prepared> prepared =
        prepare(layer, windows, plan_options, layer_kernels::of((*kernels)->instruction_set));
    if (!prepared.ok()) {
      // A number of threads or an accuracy belongs to no layer.
      const std::string_view field = prepared.status().field;
      const bool of_options = field == "threads" || field == "accuracy";
      return of_options ? prepared.status() : in_layer(i, to_string(layer.kind), prepared.status());
    }
    content->layers.push_back(*prepared);
    const Geometry& g = prepared->info.geometry;
    input.h = g.oh;
    input.w = g.ow;
    input.c = g.k;
  }
  if (!count(content->layers, content->memory)) {
    return Status{ErrorCode::overflow, "layers", "the tensors of the chain have more than 2^63 elements"};
  }
  return ChainAccess::make(std::move(content));
}

namespace {

/// Every winner must be a cell of the layer's x: backward adds to these cells.
Status check_winners(const LayerInfo& layer, std::span<const std::int32_t> winners) noexcept {
  const std::int64_t x_size = layer.geometry.x_size;
  for (const std::int32_t winner : winners) {
    if (winner >= 0 && winner < x_size) continue;
    return {ErrorCode::invalid_argument, "winners",
            text("winners holds ", winner, ", but x has ", x_size, " elements. Run forward of this chain first.")};
  }
  return {};
}

/// Checks the lengths of the tensors that a run uses, the winners that it reads, and its workspace.
Status check(const Chain& chain, const ChainTensors<float>& t, bool is_backward, const Resources& resources) noexcept {
  if (t.layers.size() != chain.size()) {
    return length_mismatch("layers", t.layers.size(), static_cast<std::int64_t>(chain.size()));
  }
  const std::int64_t x_size = chain.layer(0).geometry.x_size;
  const bool wants_dx = is_backward && !t.dx.empty();
  if (Status status = check_lengths({{"x", t.x.size(), x_size}, {"dx", t.dx.size(), wants_dx ? x_size : -1}});
      !status.ok()) {
    return status;
  }
  for (std::size_t i = 0; i < chain.size(); ++i) {
    const LayerInfo& layer = chain.layer(i);
    const LayerTensors<float>& own = t.layers[i];
    const auto if_any = [](std::span<float> tensor, std::int64_t size) { return tensor.empty() ? 0 : size; };
    Status status = check_lengths({{"w", own.w.size(), layer.w_size},
                                   {"b", own.b.size(), own.b.empty() ? 0 : layer.b_size},
                                   {"y", own.y.size(), layer.geometry.y_size},
                                   {"winners", own.winners.size(), layer.winners_size},
                                   {"dy", own.dy.size(), is_backward ? layer.geometry.y_size : -1},
                                   {"dw", own.dw.size(), is_backward ? if_any(own.dw, layer.w_size) : -1},
                                   {"db", own.db.size(), is_backward ? if_any(own.db, layer.b_size) : -1}});
    if (status.ok() && is_backward) status = check_winners(layer, own.winners);
    if (!status.ok()) return in_layer(i, to_string(layer.desc.kind), status);
  }
  if (std::cmp_greater_equal(resources.workspace.size(), chain.memory().workspace_floats)) return {};
  return length_mismatch("workspace", resources.workspace.size(), chain.memory().workspace_floats,
                         "ChainMemory::workspace_floats");
}

/// The tensors of layer i, as its functions want them.
template <class T>
layers::Run<T> run_of(const ChainTensors<T>& t, std::size_t i) noexcept {
  const LayerTensors<T>& own = t.layers[i];
  return {.x = i == 0 ? t.x : std::span<const T>(t.layers[i - 1].y),
          .w = own.w,
          .b = own.b,
          .y = own.y,
          .winners = own.winners,
          .dy = own.dy,
          .dx = i == 0 ? t.dx : t.layers[i - 1].dy,
          .dw = own.dw,
          .db = own.db};
}

using RunLayer = Status (*)(const Prepared&, const layers::Run<float>&, const Resources&) noexcept;

/// Runs layer i, unless the hook cancels it. `done` layers are finished.
Status run_layer(const Chain& chain, const ChainTensors<float>& t, std::size_t i, std::size_t done, bool is_backward,
                 const Resources& resources) noexcept {
  const ProgressHook& hook = resources.progress;
  const auto total = static_cast<std::int64_t>(chain.size());
  if (hook.step && !hook.step(hook.context, static_cast<std::int64_t>(done), total)) {
    return {ErrorCode::cancelled, "progress", "the progress hook canceled the run; the outputs are incomplete"};
  }
  const Prepared& layer = ChainAccess::layer(chain, i);
  const layers::Entry& entry = entry_of(layer.info);
  const RunLayer run = is_backward ? entry.backward : entry.forward;
  Status status = run(layer, run_of(t, i), {.workspace = resources.workspace, .team = resources.team});
  return status.ok() ? status : in_layer(i, entry.name, status);
}

}  // namespace

Status forward(const Chain& chain, const ChainTensors<float>& tensors, const Resources& resources) noexcept {
  Status status = check(chain, tensors, false, resources);
  for (std::size_t i = 0; status.ok() && i < chain.size(); ++i) {
    status = run_layer(chain, tensors, i, i, false, resources);
  }
  return status;
}

Status backward(const Chain& chain, const ChainTensors<float>& tensors, const Resources& resources) noexcept {
  Status status = check(chain, tensors, true, resources);
  for (std::size_t i = chain.size(); status.ok() && i > 0; --i) {
    status = run_layer(chain, tensors, i - 1, chain.size() - i, true, resources);
  }
  return status;
}

namespace reference {

template <class T>
void forward(const Chain& chain, const ChainTensors<T>& tensors) {
  for (std::size_t i = 0; i < chain.size(); ++i) {
    const LayerInfo& layer = chain.layer(i);
    entry_of(layer).reference<T>().forward(layer, run_of(tensors, i));
  }
}

template <class T>
void backward(const Chain& chain, const ChainTensors<T>& tensors) {
  for (std::size_t i = chain.size(); i > 0; --i) {
    const LayerInfo& layer = chain.layer(i - 1);
    entry_of(layer).reference<T>().backward(layer, run_of(tensors, i - 1));
  }
}

template void forward(const Chain&, const ChainTensors<float>&);
template void forward(const Chain&, const ChainTensors<double>&);
template void backward(const Chain&, const ChainTensors<float>&);
template void backward(const Chain&, const ChainTensors<double>&);

}  // namespace reference
}  // namespace conv2d
