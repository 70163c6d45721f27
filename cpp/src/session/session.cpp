#include "session/session.hpp"

#include <utility>

#include "session/no_problem.hpp"

namespace conv2d::session {

const Buffer<float>& Session::tensor(Slot slot) const noexcept { return tensors_[static_cast<std::size_t>(slot)]; }
Buffer<float>& Session::tensor(Slot slot) noexcept { return tensors_[static_cast<std::size_t>(slot)]; }

Status Session::set_problem(const ConvDesc& desc) {
  const Result<Geometry> resolved = resolve(desc);
  if (!resolved.ok()) return resolved.status();
  for (const Slot slot : {Slot::y, Slot::dy, Slot::dx, Slot::dw, Slot::db, Slot::stage, Slot::result}) {
    tensor(slot).release();
  }
  packed_weights_.invalidate();
  workspace_.release();
  check_table_.release();
  plans_ = {};
  loss_ = Loss::linear;
  geometry_ = *resolved;
  return {};
}

Status Session::reserve(Slot slot, std::int64_t length) {
  if (slot == Slot::w) packed_weights_.invalidate();
  return tensor(slot).reserve(length, name_of(slot));
}

std::span<float> Session::writable(Slot slot) noexcept {
  if (slot == Slot::w) packed_weights_.invalidate();
  return out(slot);
}

Status Session::reserve_indices(IndexSlot slot, std::int64_t length) {
  return indices_[static_cast<std::size_t>(slot)].reserve(length, slot == IndexSlot::a ? "index_a" : "index_b");
}

Status Session::reserve_pixels(std::int64_t bytes) { return pixels_.reserve(bytes, "pixels"); }

std::span<std::int32_t> Session::indices(IndexSlot slot) const noexcept {
  return indices_[static_cast<std::size_t>(slot)].span();
}

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
  Status status = tensor(output).reserve(geometry_->result_size(pass), name_of(output));
  if (status.ok()) status = workspace_.reserve_at_least(planned->workspace_floats(), "workspace");
  if (!status.ok()) return status;
  plans_[static_cast<std::size_t>(pass)] = *planned;
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
