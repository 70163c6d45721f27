#include "session/session.hpp"

#include <utility>

#include "base/errors.hpp"

/// The problem of a session and its tensors.
namespace conv2d::session {
namespace {

bool is_same(const LayerInfo& a, const LayerInfo& b) noexcept {
  return a.geometry == b.geometry && a.kind == b.kind && a.options == b.options;
}

constexpr bool is_of_chain(Slot slot) noexcept {
  return slot == Slot::target || slot == Slot::stage || slot == Slot::result;
}

constexpr Pass kPasses[]{Pass::forward, Pass::backward_data, Pass::backward_weights, Pass::backward_bias};

}  // namespace

Status Session::set_problem(ChainDesc desc, std::span<const LayerDesc> layers, std::string_view loss) {
  desc.layers = layers;
  Result<Chain> planned = plan_chain(desc, {.threads = team_.threads, .packed_weights = true, .loss = loss});
  if (!planned.ok()) return planned.status();
  Chain chain = *planned;
  const std::size_t before = size();
  bool is_kept = true;
  for (std::size_t i = 0; i < std::max(before, chain.size()); ++i) {
    const bool is_known = i < before && i < chain.size() && is_same(chain_->layer(i), chain.layer(i));
    if (!is_known) release_layer(i, i >= chain.size() || chain.layer(i).w_size == 0);
    is_kept = is_kept && is_known;
    for (const Pass pass : kPasses) {
      const std::string& name = layers_[i].algorithms[pass];
      if (name.empty()) continue;
      if (const Result<Chain> with = with_algorithm(chain, {.layer = i, .pass = pass, .name = name}); with.ok()) {
        chain = *with;
      }
    }
  }
  if (before != chain.size() || chain.loss() != chain_->loss()) {
    // Another dy is the one that no layer computes.
    for (const std::size_t count : {before, chain.size()}) {
      if (count > 0) layers_[count - 1].tensors[Slot::dy].release();
    }
    ran({.operation = Operation::loss}) = {};
  }
  if (!is_kept) workspace_.release();
  for (const Slot slot : {Slot::stage, Slot::result}) layers_[0].tensors[slot].release();
  change_chain(chain);
  return {};
}

void Session::release_layer(std::size_t layer, bool with_weights) noexcept {
  Layer& own = layers_[layer];
  for (const Slot slot : {Slot::y, Slot::dy, Slot::dx, Slot::dw, Slot::db}) own.tensors[slot].release();
  if (with_weights) {
    for (const Slot slot : {Slot::w, Slot::b}) own.tensors[slot].release();
  }
  own.winners.release();
  own.packed.invalidate();
  for (const Pass pass : kPasses) {
    own.algorithms[pass].clear();
    own.ran[operation_of(pass)] = {};
  }
}

/// Passes with another algorithm are not current any more.
void Session::change_chain(const Chain& chain) {
  for (std::size_t i = 0; i < std::min(size(), chain.size()); ++i) {
    for (const Pass pass : kPasses) {
      if (chain_->algorithm(i, pass) == chain.algorithm(i, pass)) continue;
      layers_[i].ran[operation_of(pass)] = {};
      // By the pass of the plan: that of a transposed convolution is another than its own.
      if (const Plan* const old = chain_->plan(i, pass)) layers_[i].packed.invalidate(old->pass());
    }
  }
  chain_ = chain;
}

Status Session::set_algorithm(std::int64_t layer, Pass pass, std::string_view name) {
  if (const auto info = weighted(layer); !info.ok()) return info.status();
  if (Status status = check_enumerator("pass", pass, Pass::backward_bias); !status.ok()) return status;
  const auto i = static_cast<std::size_t>(layer);
  if (layers_[i].algorithms[pass] == name) return {};
  const Result<Chain> chain = with_algorithm(*chain_, {.layer = i, .pass = pass, .name = name});
  if (!chain.ok()) return chain.status();
  layers_[i].algorithms[pass] = name;
  change_chain(*chain);
  return {};
}

Status Session::check_layer(std::int64_t layer) const noexcept {
  if (layer == 0 || (layer > 0 && std::cmp_less(layer, size()))) return {};
  return {ErrorCode::invalid_argument, "layer", "the chain has no such layer"};
}

Status Session::check_id(TensorId id) const noexcept { return is_of_chain(id.slot) ? Status{} : check_layer(id.layer); }

TensorId Session::placed(TensorId id) noexcept {
  if (is_of_chain(id.slot)) return {0, id.slot};
  if (id.layer > 0 && id.slot == Slot::x) return {id.layer - 1, Slot::y};
  if (id.layer > 0 && id.slot == Slot::dx) return {id.layer - 1, Slot::dy};
  return id;
}

std::optional<Step> Session::step_of(TensorId id) const noexcept {
  switch (id.slot) {
    case Slot::y:
      return Step{id.layer, Operation::forward};
    case Slot::dw:
      return Step{id.layer, Operation::backward_weights};
    case Slot::db:
      return Step{id.layer, Operation::backward_bias};
    case Slot::dx:
      return Step{id.layer, Operation::backward_data};
    case Slot::dy:
      if (id.layer < last()) return Step{id.layer + 1, Operation::backward_data};
      return has_target() ? std::optional(Step{0, Operation::loss}) : std::nullopt;
    default:
      return std::nullopt;
  }
}

bool Session::is_current(TensorId id) const noexcept {
  const std::optional<Step> step = step_of(id);
  return !step || is_current(*step);
}

Status Session::check_writable(TensorId id) const noexcept {
  if (!step_of(id)) return {};
  return {ErrorCode::invalid_argument, to_string(id.slot), "the tensor is the result of a step: it cannot be written"};
}

void Session::touch(TensorId id) noexcept {
  at(id).version = ++versions_;
  if (id.slot == Slot::w) layers_[static_cast<std::size_t>(id.layer)].packed.invalidate();
}

Status Session::reserve(TensorId id, std::int64_t length) {
  Status status = check_id(id);
  if (!status.ok()) return status;
  const TensorId place = placed(id);
  status = check_writable(place);
  if (!status.ok()) return status;
  touch(place);
  return at(place).values.reserve(length, to_string(place.slot));
}

Result<std::span<float>> Session::scratch(Slot slot, std::int64_t length, std::string_view name) {
  if (Status status = at({0, slot}).values.reserve(length, name); !status.ok()) return status;
  touch({0, slot});
  return out({0, slot});
}

Status Session::reserve_indices(IndexSlot slot, std::int64_t length) {
  return indices_[slot].reserve(length, slot == IndexSlot::a ? "index_a" : "index_b");
}

Status Session::reserve_pixels(std::int64_t bytes) { return pixels_.reserve(bytes, "pixels"); }

std::span<const float> Session::values(TensorId id) const noexcept {
  if (!check_id(id).ok()) return {};
  const TensorId place = placed(id);
  if (!is_current(place)) return {};
  return at(place).values.span();
}

std::span<float> Session::writable(TensorId id) noexcept {
  if (!check_id(id).ok()) return {};
  const TensorId place = placed(id);
  if (step_of(place)) return {};
  touch(place);
  return out(place);
}

std::uint32_t Session::version(TensorId id) const noexcept {
  if (!check_id(id).ok()) return 0;
  const TensorId place = placed(id);
  return is_current(place) ? at(place).version : 0;
}

std::span<const std::int32_t> Session::winners(std::int64_t layer) const noexcept {
  if (!check_layer(layer).ok() || !is_current(TensorId{layer, Slot::y})) return {};
  return layers_[static_cast<std::size_t>(layer)].winners.span();
}

const Plan* Session::planned(std::int64_t layer, Pass pass) const noexcept {
  return chain_ && check_layer(layer).ok() ? chain_->plan(static_cast<std::size_t>(layer), pass) : nullptr;
}

}  // namespace conv2d::session
