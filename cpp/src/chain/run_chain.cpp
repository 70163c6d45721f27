#include <algorithm>
#include <utility>

#include "base/errors.hpp"
#include "chain/content.hpp"
#include "conv2d_teach/chain.hpp"

namespace conv2d {

using layers::in_layer;
using layers::rules_of;

namespace {

/// Every winner must be a cell of the layer's x: backward adds to these cells.
Status check_winners(const LayerInfo& layer, std::span<const std::int32_t> winners) noexcept {
  const std::int64_t x_size = layer.x_size;
  for (const std::int32_t winner : winners) {
    if (winner >= 0 && winner < x_size) continue;
    return {ErrorCode::invalid_argument, "winners",
            text("winners holds ", winner, ", but x has ", x_size, " elements. Run forward of this chain first.")};
  }
  return {};
}

/// Whether layer i is a convolution without a y, because the layer behind it is a clamp: forward writes the y of that
/// layer at once.
template <class T>
[[gnu::noinline]] bool leaves_y_out(const Chain& chain, const ChainTensors<T>& t, std::size_t i) noexcept {
  return t.layers[i].y.empty() && i + 1 < chain.size() && chain.layer(i).is_convolution() &&
         rules_of(chain.layer(i + 1)).clamp;
}

/// Checks the lengths of the tensors that a run of all layers uses, the winners that it reads, and its workspace.
Status check_all(const Chain& chain, const ChainTensors<float>& t, bool is_backward,
                 const Resources& resources) noexcept {
  if (t.layers.size() != chain.size()) {
    return length_mismatch("layers", t.layers.size(), static_cast<std::int64_t>(chain.size()));
  }
  const std::int64_t x_size = chain.layer(0).x_size;
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
                                   {"y", own.y.size(), leaves_y_out(chain, t, i) ? 0 : layer.y_size},
                                   {"winners", own.winners.size(), layer.winners_size},
                                   {"dy", own.dy.size(), is_backward ? layer.y_size : -1},
                                   {"dw", own.dw.size(), is_backward ? if_any(own.dw, layer.w_size) : -1},
                                   {"db", own.db.size(), is_backward ? if_any(own.db, layer.b_size) : -1}});
    if (status.ok() && is_backward) status = check_winners(layer, own.winners);
    if (!status.ok()) return in_layer(i, layer.kind, status);
  }
  if (std::cmp_greater_equal(resources.workspace.size(), chain.memory().workspace_floats)) return {};
  return length_mismatch("workspace", resources.workspace.size(), chain.memory().workspace_floats,
                         "ChainMemory::workspace_floats");
}

/// The tensors of layer i, as its functions want them.
template <class T>
layers::Run<T> run_of(const Chain& chain, const ChainTensors<T>& t, std::size_t i) noexcept {
  const LayerTensors<T>& own = t.layers[i];
  return {.x = i == 0 ? t.x : std::span<const T>(leaves_y_out(chain, t, i - 1) ? own.y : t.layers[i - 1].y),
          .w = own.w,
          .b = own.b,
          .y = own.y,
          .winners = own.winners,
          .dy = own.dy,
          .dx = i == 0 ? t.dx : t.layers[i - 1].dy,
          .dw = own.dw,
          .db = own.db};
}

/// Checks what one pass of a layer without a plan uses. With one, conv2d::run checks it.
Status check_pass(const LayerInfo& layer, Pass pass, const layers::Run<float>& r, const Resources& resources) noexcept {
  const Operands reads = operands_of(layer.kind, pass);
  const bool is_forward = pass == Pass::forward;
  const auto if_read = [](bool is_read, std::int64_t size) { return is_read ? size : -1; };
  Status status =
      check_lengths({{"x", r.x.size(), if_read(reads.x, layer.x_size)},
                     {"dy", r.dy.size(), if_read(reads.dy, layer.y_size)},
                     {"winners", r.winners.size(), if_read(reads.winners || is_forward, layer.winners_size)},
                     {"y", r.y.size(), if_read(is_forward, layer.y_size)},
                     {"dx", r.dx.size(), if_read(!is_forward, layer.x_size)}});
  if (status.ok() && reads.winners) status = check_winners(layer, r.winners);
  if (!status.ok() || std::cmp_greater_equal(resources.workspace.size(), layer.workspace_floats)) return status;
  return length_mismatch("workspace", resources.workspace.size(), layer.workspace_floats,
                         "LayerInfo::workspace_floats");
}

/// Runs a pass of layer i. Precondition: i < chain.size(), and t.layers has as many.
Status run_layer(const Chain& chain, std::size_t i, Pass pass, const ChainTensors<float>& t,
                 const Resources& resources) noexcept {
  const LayerInfo& layer = chain.layer(i);
  const layers::Run<float> r = run_of(chain, t, i);
  const bool is_forward = pass == Pass::forward;
  if (is_forward && i > 0 && leaves_y_out(chain, t, i - 1)) return {};
  Status status;
  if (const Plan* const plan = chain.plan(i, pass)) {
    const LayerTensors<float>& own = t.layers[i];
    const std::span<const float> packed = is_forward                    ? own.packed
                                          : pass == Pass::backward_data ? own.packed_backward
                                                                        : std::span<const float>{};
    const bool clamps = leaves_y_out(chain, t, i);
    const std::span<float> results[]{clamps ? t.layers[i + 1].y : r.y, r.dx, r.dw, r.db};
    status = layers::runner_of(layer).run(*plan,
                                          {.x = r.x,
                                           .w = r.w,
                                           .packed = packed,
                                           .b = r.b,
                                           .dy = r.dy,
                                           .out = results[static_cast<std::size_t>(pass)],
                                           .clamp = clamps ? *rules_of(chain.layer(i + 1)).clamp : Clamp{}},
                                          resources);
  } else if (status = check_pass(layer, pass, r, resources); status.ok()) {
    const layers::Runner& runner = layers::runner_of(layer);
    (is_forward ? runner.forward : runner.backward)(
        {.info = layer, .kernels = *ChainContent::of(chain).kernels, .workspace = resources.workspace.data()}, r);
  }
  return status.ok() || status.code == ErrorCode::cancelled ? status : in_layer(i, layer.kind, status);
}

/// Asks the hook whether to go on. `done` layers are finished.
Status check_progress(const Chain& chain, std::size_t done, const ProgressHook& hook) noexcept {
  const auto total = static_cast<std::int64_t>(chain.size());
  if (!hook.step || hook.step(hook.context, static_cast<std::int64_t>(done), total)) return {};
  return {ErrorCode::cancelled, "progress", "the progress hook canceled the run; the outputs are incomplete"};
}

}  // namespace

Status run_pass(const Chain& chain, std::size_t i, Pass pass, const ChainTensors<float>& tensors,
                const Resources& resources) noexcept {
  if (Status status = check_enumerator("pass", pass, Pass::backward_bias); !status.ok()) return status;
  if (i >= chain.size()) {
    return {ErrorCode::invalid_argument, "layer",
            text("there is no layer ", i, "; the chain has ", chain.size(), " layers")};
  }
  if (tensors.layers.size() != chain.size()) {
    return length_mismatch("layers", tensors.layers.size(), static_cast<std::int64_t>(chain.size()));
  }
  const LayerInfo& layer = chain.layer(i);
  const bool is_of_weights = pass == Pass::backward_weights || pass == Pass::backward_bias;
  if (is_of_weights && !rules_of(layer).has_weights) {
    return in_layer(i, layer.kind,
                    {ErrorCode::unsupported, "pass", text("a layer without weights has no ", to_string(pass))});
  }
  return run_layer(chain, i, pass, tensors, resources);
}

Status forward(const Chain& chain, const ChainTensors<float>& tensors, const Resources& resources) noexcept {
  const Resources without_hook{.workspace = resources.workspace, .progress = {}, .team = resources.team};
  Status status = check_all(chain, tensors, false, resources);
  for (std::size_t i = 0; status.ok() && i < chain.size(); ++i) {
    status = check_progress(chain, i, resources.progress);
    if (status.ok()) status = run_layer(chain, i, Pass::forward, tensors, without_hook);
  }
  return status;
}

Status backward(const Chain& chain, const ChainTensors<float>& tensors, const Resources& resources) noexcept {
  const Resources without_hook{.workspace = resources.workspace, .progress = {}, .team = resources.team};
  Status status = check_all(chain, tensors, true, resources);
  for (std::size_t i = chain.size(); status.ok() && i > 0; --i) {
    const LayerTensors<float>& own = tensors.layers[i - 1];
    const std::span<float> dx = i == 1 ? tensors.dx : tensors.layers[i - 2].dy;
    status = check_progress(chain, chain.size() - i, resources.progress);
    for (const auto& [pass, result] : {std::pair{Pass::backward_bias, own.db},
                                       std::pair{Pass::backward_weights, own.dw}, std::pair{Pass::backward_data, dx}}) {
      if (status.ok() && !result.empty()) status = run_layer(chain, i - 1, pass, tensors, without_hook);
    }
  }
  return status;
}

namespace reference {

template <class T>
void forward(const Chain& chain, const ChainTensors<T>& tensors) {
  for (std::size_t i = 0; i < chain.size(); ++i) {
    const LayerInfo& layer = chain.layer(i);
    layers::checks_of(layer).reference<T>().forward(layer, run_of(chain, tensors, i));
  }
}

template <class T>
void backward(const Chain& chain, const ChainTensors<T>& tensors) {
  for (std::size_t i = chain.size(); i > 0; --i) {
    const LayerInfo& layer = chain.layer(i - 1);
    layers::checks_of(layer).reference<T>().backward(layer, run_of(chain, tensors, i - 1));
  }
}

template void forward(const Chain&, const ChainTensors<float>&);
template void forward(const Chain&, const ChainTensors<double>&);
template void backward(const Chain&, const ChainTensors<float>&);
template void backward(const Chain&, const ChainTensors<double>&);

}  // namespace reference
}  // namespace conv2d
