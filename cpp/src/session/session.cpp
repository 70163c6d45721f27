#include "session/session.hpp"

#include <utility>

namespace conv2d::session {

std::span<const float> PackedWeights::for_run(const Plan& plan, std::span<const float> w) {
  Packed& packed = packed_[plan.pass()];
  if (packed.ready) return packed.values.span();
  const bool has_run = std::exchange(packed.used, true);
  if (plan.packed_floats() == 0 || !has_run || !packed.values.reserve(plan.packed_floats(), "packed").ok() ||
      !pack_weights(plan, w, packed.values.span()).ok()) {
    return {};
  }
  packed.ready = true;
  return packed.values.span();
}

void PackedWeights::invalidate() noexcept {
  for (Packed& packed : packed_) packed = {};
}

void PackedWeights::invalidate(Pass pass) noexcept { packed_[pass] = {}; }

Status Session::set_problem(const ConvDesc& desc) {
  const Result<Geometry> resolved = resolve(desc);
  if (!resolved.ok()) return resolved.status();
  for (const Slot slot : {Slot::y, Slot::dy, Slot::dx, Slot::dw, Slot::db, Slot::stage, Slot::result}) {
    tensors_[slot].release();
  }
  packed_weights_.invalidate();
  workspace_.release();
  plans_ = {};
  loss_ = Loss::linear;
  geometry_ = *resolved;
  return {};
}

std::span<float> Session::out(Slot slot) const noexcept { return tensors_[slot].span(); }

std::span<float> Session::view(Slot slot) noexcept {
  if (slot == Slot::w) packed_weights_.invalidate();
  return out(slot);
}

Status Session::reserve(Slot slot, std::int64_t length) {
  writable(slot);
  return tensors_[slot].reserve(length, to_string(slot));
}

std::span<float> Session::writable(Slot slot) noexcept {
  if (slot == Slot::dy) loss_ = Loss::linear;
  return view(slot);
}

Status Session::reserve_indices(IndexSlot slot, std::int64_t length) {
  return indices_[slot].reserve(length, slot == IndexSlot::a ? "index_a" : "index_b");
}

Status Session::reserve_pixels(std::int64_t bytes) { return pixels_.reserve(bytes, "pixels"); }

PlanOptions Session::options(std::string_view algorithm) const noexcept {
  return {.algorithm = algorithm, .threads = team_.threads, .packed_weights = true};
}

std::vector<AlgorithmInfo> Session::algorithms(Pass pass) const {
  return geometry_ ? conv2d::algorithms(*geometry_, pass, options()) : std::vector<AlgorithmInfo>{};
}

Status Session::plan(Pass pass, std::string_view algorithm) {
  if (!geometry_) return no_problem();
  const Result<Plan> planned = conv2d::plan(*geometry_, pass, options(algorithm));
  if (!planned.ok()) return planned.status();
  const Slot output = output_of(pass);
  Status status = tensors_[output].reserve(geometry_->result_size(pass), to_string(output));
  if (status.ok()) status = workspace_.reserve_at_least(planned->workspace_floats(), "workspace");
  if (!status.ok()) return status;
  plans_[pass] = *planned;
  packed_weights_.invalidate(pass);
  return {};
}

Status Session::run(Pass pass, const ProgressHook& progress) {
  const std::optional<Plan>& plan = planned(pass);
  if (!plan) return {ErrorCode::invalid_argument, "pass", "the pass has not been planned"};
  // The passes share the workspace, which has the largest length that any plan needs. It is smaller only if an earlier
  // allocation failed.
  if (Status status = workspace_.reserve_at_least(plan->workspace_floats(), "workspace"); !status.ok()) return status;
  return conv2d::run(*plan,
                     {.x = values(Slot::x),
                      .w = values(Slot::w),
                      .packed = packed_weights_.for_run(*plan, values(Slot::w)),
                      .b = values(Slot::b),
                      .dy = values(Slot::dy),
                      .out = out(output_of(pass))},
                     {.workspace = workspace_.span(), .progress = progress, .team = team_});
}

}  // namespace conv2d::session
