#include <cstdint>
#include <string>

#include "algorithms/prepared_pass.hpp"
#include "base/buffers.hpp"
#include "base/errors.hpp"
#include "desc/geometry.hpp"
#include "run_as.hpp"

namespace conv2d {
namespace {

using algorithm::PreparedPass;

TensorNames names_of(Pass pass) noexcept { return {.x = "x", .dy = "dy", .out = tensors_of(pass).out}; }

Status check_packs(const PreparedPass& plan) {
  if (plan.packed_floats() > 0) return {};
  return Status{ErrorCode::unsupported, "packed",
                text("algorithm ", plan.entry().name, " does not pack w: Plan::packed_floats is 0")};
}

Status check_packed(const PreparedPass& plan, std::size_t length) {
  if (Status status = check_packs(plan); !status.ok()) return status;
  if (static_cast<std::uint64_t>(plan.packed_floats()) == length) return {};
  return length_mismatch("packed", length, plan.packed_floats(), "Plan::packed_floats");
}

Status out_mismatch(const PreparedPass& plan, std::string_view name, std::size_t length) {
  const Geometry& g = plan.geometry();
  const Pass pass = plan.entry().pass;
  return pass == Pass::backward_bias ? length_mismatch(name, length, g.k, "one per filter")
                                     : shape_mismatch(name, length, result_shape(g, pass));
}

Status check_tensors(const PreparedPass& plan, const Tensors& t, const TensorNames& names) {
  const PassTensors has = tensors_of(plan.entry().pass);
  const Geometry& g = plan.geometry();
  if (has.x && !has_length(t.x, g.x_size)) return shape_mismatch(names.x, t.x.size(), g.x_shape());
  if (has.dy && !has_length(t.dy, g.y_size)) return shape_mismatch(names.dy, t.dy.size(), g.y_shape());
  if (has.w && t.packed.empty() && !has_length(t.w, g.w_size)) return shape_mismatch("w", t.w.size(), g.w_shape());
  if (has.w && !t.packed.empty()) {
    if (Status status = check_packed(plan, t.packed.size()); !status.ok()) return status;
    if (Status status = plan.packed_tag().check(t.packed.data()); !status.ok()) return status;
  }
  if (!has_length(t.out, g.result_size(plan.entry().pass))) return out_mismatch(plan, names.out, t.out.size());
  if (has.b && !t.b.empty() && !has_length(t.b, g.k)) {
    return length_mismatch("b", t.b.size(), g.k, "one per filter, or none for no bias");
  }
  if (has.b && !(t.clamp.lowest <= t.clamp.highest)) {
    return {ErrorCode::invalid_argument, "clamp", "clamp.lowest is above clamp.highest, or one is NaN"};
  }
  return {};
}

Status check_no_overlap(const PreparedPass& plan, const engine::Operands& o, const float* workspace,
                        const TensorNames& names) {
  const Geometry& g = plan.geometry();
  const Block blocks[] = {
      {names.out, o.out, g.result_size(plan.entry().pass)}, {names.x, o.x, g.x_size}, {"w", o.w, g.w_size},
      {"packed", o.packed, plan.packed_floats()},           {"b", o.b, g.k},          {names.dy, o.dy, g.y_size}};
  if (Status status = check_no_overlap(blocks[0], std::span(blocks).subspan(1)); !status.ok()) return status;
  return check_no_overlap({"workspace", workspace, plan.workspace_floats()}, blocks);
}

void clamp_all(const Clamp& clamp, std::span<float> y) noexcept {
#if defined(__clang__)  // plain loops and WebAssembly only: not worth the code of vectors
#pragma clang loop vectorize(disable) unroll(disable)
#endif
  for (float& value : y) {
    const float least = value <= clamp.lowest ? clamp.lowest : value;
    value = least >= clamp.highest ? clamp.highest : least;
  }
}

Status run_checked(const PreparedPass& plan, const Tensors& t, const Resources& resources,
                   const TensorNames& names) noexcept {
  if (Status status = check_tensors(plan, t, names); !status.ok()) return status;
  if (resources.workspace.size() < static_cast<std::uint64_t>(plan.workspace_floats())) {
    return Status{ErrorCode::length_mismatch, "workspace",
                  text("workspace holds ", resources.workspace.size(), " floats, but algorithm ", plan.entry().name,
                       " needs ", plan.workspace_floats(), " (Plan::workspace_floats)")};
  }
  const PassTensors has = tensors_of(plan.entry().pass);
  constexpr Clamp kNone;
  const bool clamps = has.b && (t.clamp.lowest != kNone.lowest || t.clamp.highest != kNone.highest);
  const micro_kernels::Clamp clamp{t.clamp.lowest, t.clamp.highest};
  const engine::Operands operands{.x = has.x ? t.x.data() : nullptr,
                                  .w = has.w && t.packed.empty() ? t.w.data() : nullptr,
                                  .packed = has.w && !t.packed.empty() ? t.packed.data() : nullptr,
                                  .b = has.b && !t.b.empty() ? t.b.data() : nullptr,
                                  .dy = has.dy ? t.dy.data() : nullptr,
                                  .out = t.out.data(),
                                  .clamp = clamps && plan.clamps() ? &clamp : nullptr};
  if (Status status = check_no_overlap(plan, operands, resources.workspace.data(), names); !status.ok()) return status;
  if (!plan.run(operands, resources)) {
    return Status{ErrorCode::cancelled, "progress", "the progress hook canceled the run; the output is incomplete"};
  }
  if (clamps && !plan.clamps()) clamp_all(t.clamp, t.out);
  return {};
}

/// As run(), for a function of one pass.
Status run_pass(Pass pass, const PreparedPass& plan, const Tensors& t, const Resources& resources) noexcept {
  if (plan.entry().pass != pass) {
    return Status{ErrorCode::invalid_argument, "plan",
                  text("the plan is for ", to_string(plan.entry().pass), ", but ", to_string(pass),
                       " was called. Make a plan for it with plan().")};
  }
  return run_checked(plan, t, resources, names_of(pass));
}

}  // namespace

Status pack_weights(const Plan& plan, std::span<const float> w, std::span<float> packed) noexcept {
  const PreparedPass& prepared = PreparedPass::of(plan);
  if (Status status = check_packs(prepared); !status.ok()) return status;
  const Geometry& g = prepared.geometry();
  if (!has_length(w, g.w_size)) return shape_mismatch("w", w.size(), g.w_shape());
  if (Status status = check_packed(prepared, packed.size()); !status.ok()) return status;
  const Block from{"w", w.data(), g.w_size};
  if (Status status = check_no_overlap({"packed", packed.data(), prepared.packed_floats()}, {&from, 1}); !status.ok()) {
    return status;
  }
  prepared.pack(w.data(), packed.data());
  return {};
}

Status run(const Plan& plan, const Tensors& tensors, const Resources& resources) noexcept {
  return run_as(plan, tensors, resources, names_of(plan.pass()));
}

Status run_as(const Plan& plan, const Tensors& tensors, const Resources& resources, const TensorNames& names) noexcept {
  return run_checked(PreparedPass::of(plan), tensors, resources, names);
}

Status forward(const Plan& plan, std::span<const float> x, std::span<const float> w, std::span<const float> b,
               std::span<float> y, const Resources& resources) noexcept {
  return run_pass(Pass::forward, PreparedPass::of(plan), {.x = x, .w = w, .b = b, .out = y}, resources);
}

Status backward_data(const Plan& plan, std::span<const float> dy, std::span<const float> w, std::span<float> dx,
                     const Resources& resources) noexcept {
  return run_pass(Pass::backward_data, PreparedPass::of(plan), {.w = w, .dy = dy, .out = dx}, resources);
}

Status backward_weights(const Plan& plan, std::span<const float> x, std::span<const float> dy, std::span<float> dw,
                        const Resources& resources) noexcept {
  return run_pass(Pass::backward_weights, PreparedPass::of(plan), {.x = x, .dy = dy, .out = dw}, resources);
}

Status backward_bias(const Plan& plan, std::span<const float> dy, std::span<float> db,
                     const Resources& resources) noexcept {
  return run_pass(Pass::backward_bias, PreparedPass::of(plan), {.dy = dy, .out = db}, resources);
}

}  // namespace conv2d
