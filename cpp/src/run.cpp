#include <array>
#include <string>

#include "base/text.hpp"
#include "plan.hpp"

namespace conv2d {
namespace {

Status length_mismatch(std::string_view tensor, std::size_t actual, std::int64_t expected, std::string_view why) {
  return Status{ErrorCode::length_mismatch, tensor,
                text(tensor, " has ", actual, " elements, but needs ", expected, ", ", why)};
}

/// A span that was passed for a tensor, and the shape that it must hold.
struct Tensor {
  std::string_view name;
  std::size_t length;
  std::array<std::int64_t, 4> shape;
};

Status check_lengths(std::initializer_list<Tensor> tensors) {
  for (const Tensor& t : tensors) {
    const std::int64_t expected = t.shape[0] * t.shape[1] * t.shape[2] * t.shape[3];
    if (static_cast<std::uint64_t>(expected) == t.length) continue;
    return length_mismatch(
        t.name, t.length, expected,
        text("its shape being [", t.shape[0], ", ", t.shape[1], ", ", t.shape[2], ", ", t.shape[3], "]"));
  }
  return {};
}

Status check_packs(const Plan& plan) {
  if (plan.packed_floats() > 0) return {};
  return Status{ErrorCode::unsupported, "packed",
                text("algorithm ", plan.algorithm(), " reads w as it lies: Plan::packed_floats is 0")};
}

Status check_packed(const Plan& plan, std::size_t length) {
  if (Status status = check_packs(plan); !status.ok()) return status;
  if (static_cast<std::uint64_t>(plan.packed_floats()) == length) return {};
  return length_mismatch("packed", length, plan.packed_floats(), "Plan::packed_floats");
}

/// What a pass reads, and what it writes.
struct PassTensors {
  bool x, w, b, dy;
  std::string_view out;
};

PassTensors tensors_of(Pass pass) noexcept {
  switch (pass) {
    case Pass::forward:
      return {.x = true, .w = true, .b = true, .dy = false, .out = "y"};
    case Pass::backward_data:
      return {.x = false, .w = true, .b = false, .dy = true, .out = "dx"};
    case Pass::backward_weights:
      return {.x = true, .w = false, .b = false, .dy = true, .out = "dw"};
    case Pass::backward_bias:
      break;
  }
  return {.x = false, .w = false, .b = false, .dy = true, .out = "db"};
}

Status check_out(const Plan& plan, std::string_view name, std::size_t length) {
  const Geometry& g = plan.geometry();
  switch (plan.pass()) {
    case Pass::forward:
      return check_lengths({{name, length, g.y_shape()}});
    case Pass::backward_data:
      return check_lengths({{name, length, g.x_shape()}});
    case Pass::backward_weights:
      return check_lengths({{name, length, g.w_shape()}});
    case Pass::backward_bias:
      break;
  }
  return length == static_cast<std::uint64_t>(g.k) ? Status{} : length_mismatch(name, length, g.k, "one per filter");
}

Status check_tensors(const Plan& plan, const Tensors& t) {
  const PassTensors has = tensors_of(plan.pass());
  const Geometry& g = plan.geometry();
  Status status;
  if (has.x) status = check_lengths({{"x", t.x.size(), g.x_shape()}});
  if (has.dy && status.ok()) status = check_lengths({{"dy", t.dy.size(), g.y_shape()}});
  if (has.w && status.ok()) {
    status = t.packed.empty() ? check_lengths({{"w", t.w.size(), g.w_shape()}}) : check_packed(plan, t.packed.size());
  }
  if (status.ok()) status = check_out(plan, has.out, t.out.size());
  if (status.ok() && has.b && !t.b.empty() && t.b.size() != static_cast<std::uint64_t>(g.k)) {
    return length_mismatch("b", t.b.size(), g.k, "one per filter (or none at all: no bias)");
  }
  return status;
}

Status run_as(Pass pass, const Plan& plan, const Tensors& tensors, const Resources& resources) {
  if (plan.pass() == pass) return run(plan, tensors, resources);
  return Status{
      ErrorCode::invalid_argument, "plan",
      text("the plan is for ", to_string(plan.pass()), ", but ", to_string(pass), " was called; make one with plan()")};
}

}  // namespace

Status pack_weights(const Plan& plan, std::span<const float> w, std::span<float> packed) noexcept {
  if (Status status = check_packs(plan); !status.ok()) return status;
  if (Status status = check_lengths({{"w", w.size(), plan.geometry().w_shape()}}); !status.ok()) return status;
  if (Status status = check_packed(plan, packed.size()); !status.ok()) return status;
  PlanAccess::prepared(plan).pack(w.data(), packed.data());
  return {};
}

Status run(const Plan& plan, const Tensors& t, const Resources& resources) noexcept {
  if (Status status = check_tensors(plan, t); !status.ok()) return status;
  if (resources.workspace.size() < static_cast<std::uint64_t>(plan.workspace_floats())) {
    return Status{ErrorCode::length_mismatch, "workspace",
                  text("workspace holds ", resources.workspace.size(), " floats, but algorithm ", plan.algorithm(),
                       " needs ", plan.workspace_floats(), " (Plan::workspace_floats)")};
  }
  const PassTensors has = tensors_of(plan.pass());
  const engine::Operands operands{.x = has.x ? t.x.data() : nullptr,
                                  .w = has.w && t.packed.empty() ? t.w.data() : nullptr,
                                  .packed = has.w && !t.packed.empty() ? t.packed.data() : nullptr,
                                  .b = has.b && !t.b.empty() ? t.b.data() : nullptr,
                                  .dy = has.dy ? t.dy.data() : nullptr,
                                  .out = t.out.data()};
  const algorithm::Execution execution{.progress = resources.progress, .team = resources.team};
  if (PlanAccess::prepared(plan).run(operands, resources.workspace.data(), execution)) {
    return {};
  }
  return Status{ErrorCode::cancelled, "progress", "the progress hook asked to stop; the output is unfinished"};
}

Status forward(const Plan& plan, std::span<const float> x, std::span<const float> w, std::span<const float> b,
               std::span<float> y, const Resources& resources) noexcept {
  return run_as(Pass::forward, plan, {.x = x, .w = w, .b = b, .out = y}, resources);
}

Status backward_data(const Plan& plan, std::span<const float> dy, std::span<const float> w, std::span<float> dx,
                     const Resources& resources) noexcept {
  return run_as(Pass::backward_data, plan, {.w = w, .dy = dy, .out = dx}, resources);
}

Status backward_weights(const Plan& plan, std::span<const float> x, std::span<const float> dy, std::span<float> dw,
                        const Resources& resources) noexcept {
  return run_as(Pass::backward_weights, plan, {.x = x, .dy = dy, .out = dw}, resources);
}

Status backward_bias(const Plan& plan, std::span<const float> dy, std::span<float> db,
                     const Resources& resources) noexcept {
  return run_as(Pass::backward_bias, plan, {.dy = dy, .out = db}, resources);
}

}  // namespace conv2d
