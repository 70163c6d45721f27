#include "conv2d/conv2d.hpp"

#include <string>

#include "algorithms/entry.hpp"
#include "algorithms/instruction_set.hpp"
#include "algorithms/layout_adapter.hpp"
#include "base/text.hpp"

namespace conv2d {
namespace {

using algorithm::Entry;
using algorithm::Operands;

std::string_view to_string(Pass pass) {
  switch (pass) {
    case Pass::forward:
      return "forward";
    case Pass::backward_data:
      return "backward_data";
    case Pass::backward_weights:
      return "backward_weights";
    case Pass::backward_bias:
      return "backward_bias";
  }
  return "unknown";
}

AlgorithmInfo describe(const Entry& entry, const Geometry& g) {
  AlgorithmInfo info{.name = entry.name, .description = entry.description, .reason = entry.why_not(g)};
  if (info.reason.empty()) info.reason = algorithm::check_instruction_set().message;
  if (!info.reason.empty()) return info;
  info.workspace_floats = algorithm::total_workspace(entry, g, 1);
  if (info.workspace_floats < 0) {
    info.workspace_floats = 0;
    info.reason = "its workspace would not fit into the address space";
    return info;
  }
  info.supported = true;
  info.cost = algorithm::total_cost(entry, g);
  info.error_bound = entry.error_bound(g);
  info.mixes_cells = entry.mixes_cells;
  return info;
}

Plan make_plan(const Entry& entry, const Geometry& g, const AlgorithmInfo& info, const PlanOptions& options) {
  Plan plan{.geometry = g,
            .pass = entry.pass,
            .algorithm = entry.name,
            .workspace_floats = info.workspace_floats,
            .packed_floats = algorithm::total_packed(entry, g),
            .implementation = &entry};
  const int shares = algorithm::shares_in_layout(entry, g, options.threads, options.macs_per_thread);
  if (shares == 1) return plan;
  const std::int64_t floats = algorithm::total_workspace(entry, g, shares);
  if (floats < 0) return plan;  // room for one
  plan.workspace_floats = floats;
  plan.threads = shares;
  return plan;
}

Result<Plan> plan_by_name(const Geometry& g, Pass pass, const PlanOptions& options) {
  const std::string_view name = options.algorithm;
  std::string names;
  for (const Entry& entry : algorithm::list()) {
    if (entry.pass != pass) continue;
    if (entry.name != name) {
      names += text(names.empty() ? "" : ", ", entry.name);
      continue;
    }
    const AlgorithmInfo info = describe(entry, g);
    if (info.supported) return make_plan(entry, g, info, options);
    const bool too_large = entry.why_not(g).empty();
    return Status{too_large ? ErrorCode::overflow : ErrorCode::unsupported, "algorithm",
                  text("algorithm ", name, " cannot run here: ", info.reason)};
  }
  return Status{ErrorCode::unknown_algorithm, "algorithm",
                text(to_string(pass), " has no algorithm \"", name, "\"; it has ", names)};
}

Result<Plan> plan_cheapest(const Geometry& g, Pass pass, const PlanOptions& options) {
  const Entry* best = nullptr;
  AlgorithmInfo best_info;
  for (const Entry& entry : algorithm::list()) {
    if (entry.pass != pass) continue;
    AlgorithmInfo info = describe(entry, g);
    if (info.supported && options.packed_weights && algorithm::total_packed(entry, g) > 0) {
      info.cost -= entry.packing.cycles * static_cast<double>(g.w_size);
    }
    if (!info.supported || (best && info.cost >= best_info.cost)) continue;
    best = &entry;
    best_info = std::move(info);
  }
  if (best) return make_plan(*best, g, best_info, options);
  return Status{ErrorCode::unsupported, "algorithm",
                text("no algorithm of ", to_string(pass), " supports this geometry")};
}

Status check_plan(const Plan& plan, Pass pass) {
  if (plan.implementation && plan.pass == pass) return {};
  const std::string found = plan.implementation ? text("is for ", to_string(plan.pass)) : "is empty";
  return Status{ErrorCode::invalid_argument, "plan",
                text("the plan ", found, ", but ", to_string(pass), " was called; make one with plan()")};
}

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

Status run(const Plan& plan, const Operands& operands, std::span<float> workspace, const ProgressHook& progress,
           const Team& team) {
  if (workspace.size() < static_cast<std::uint64_t>(plan.workspace_floats)) {
    return Status{ErrorCode::length_mismatch, "workspace",
                  text("workspace holds ", workspace.size(), " floats, but algorithm ", plan.algorithm, " needs ",
                       plan.workspace_floats, " (Plan::workspace_floats)")};
  }
  const auto& entry = *static_cast<const Entry*>(plan.implementation);
  const algorithm::Execution execution{.shares = plan.threads, .progress = progress, .team = team};
  if (algorithm::run_in_layout(entry, plan.geometry, operands, workspace.data(), execution)) return {};
  return Status{ErrorCode::cancelled, "progress", "the progress hook asked to stop; the output is unfinished"};
}

Status check_packs(const Plan& plan) {
  if (plan.packed_floats > 0) return {};
  return Status{ErrorCode::unsupported, "packed",
                text("algorithm ", plan.algorithm, " reads w as it lies: Plan::packed_floats is 0")};
}

Status check_packed(const Plan& plan, std::size_t length) {
  if (static_cast<std::uint64_t>(plan.packed_floats) == length) return {};
  return length_mismatch("packed", length, plan.packed_floats, "Plan::packed_floats");
}

/// The weights of a run: as they are, or packed.
struct Weights {
  std::span<const float> w{};
  std::span<const float> packed{};
  bool are_packed = false;

  [[nodiscard]] Status check(const Plan& plan) const {
    if (!are_packed) return check_lengths({{"w", w.size(), plan.geometry.w_shape()}});
    Status status = check_packs(plan);
    return status.ok() ? check_packed(plan, packed.size()) : status;
  }
};

Status forward_with(const Plan& plan, std::span<const float> x, const Weights& weights, std::span<const float> b,
                    std::span<float> y, std::span<float> workspace, const ProgressHook& progress, const Team& team) {
  if (Status status = check_plan(plan, Pass::forward); !status.ok()) return status;
  const Geometry& g = plan.geometry;
  Status status = check_lengths({{"x", x.size(), g.x_shape()}});
  if (status.ok()) status = weights.check(plan);
  if (status.ok()) status = check_lengths({{"y", y.size(), g.y_shape()}});
  if (!status.ok()) return status;
  if (!b.empty() && b.size() != static_cast<std::uint64_t>(g.k)) {
    return length_mismatch("b", b.size(), g.k, "one per filter (or none at all: no bias)");
  }
  return run(plan,
             {.x = x.data(),
              .w = weights.w.data(),
              .packed = weights.packed.data(),
              .b = b.empty() ? nullptr : b.data(),
              .out = y.data()},
             workspace, progress, team);
}

Status backward_data_with(const Plan& plan, std::span<const float> dy, const Weights& weights, std::span<float> dx,
                          std::span<float> workspace, const ProgressHook& progress, const Team& team) {
  if (Status status = check_plan(plan, Pass::backward_data); !status.ok()) return status;
  const Geometry& g = plan.geometry;
  Status status = check_lengths({{"dy", dy.size(), g.y_shape()}});
  if (status.ok()) status = weights.check(plan);
  if (status.ok()) status = check_lengths({{"dx", dx.size(), g.x_shape()}});
  if (!status.ok()) return status;
  return run(plan, {.w = weights.w.data(), .packed = weights.packed.data(), .dy = dy.data(), .out = dx.data()},
             workspace, progress, team);
}

}  // namespace

std::vector<AlgorithmInfo> algorithms(const Geometry& geometry, Pass pass) {
  std::vector<AlgorithmInfo> infos;
  for (const Entry& entry : algorithm::list()) {
    if (entry.pass == pass) infos.push_back(describe(entry, geometry));
  }
  return infos;
}

Result<Plan> plan(const Geometry& geometry, Pass pass, const PlanOptions& options) {
  if (options.threads < 1) {
    return Status{ErrorCode::invalid_argument, "threads",
                  text("threads is ", options.threads, ", but a run has at least the calling one")};
  }
  if (Status status = algorithm::check_instruction_set(); !status.ok()) return status;
  return options.algorithm.empty() ? plan_cheapest(geometry, pass, options) : plan_by_name(geometry, pass, options);
}

Result<Plan> plan(const ConvDesc& desc, Pass pass, const PlanOptions& options) {
  Result<Geometry> geometry = resolve(desc);
  if (!geometry.ok()) return geometry.status();
  return plan(*geometry, pass, options);
}

Status pack_weights(const Plan& plan, std::span<const float> w, std::span<float> packed) noexcept {
  if (!plan.implementation) return check_plan(plan, plan.pass);
  if (Status status = check_packs(plan); !status.ok()) return status;
  if (Status status = check_lengths({{"w", w.size(), plan.geometry.w_shape()}}); !status.ok()) return status;
  if (Status status = check_packed(plan, packed.size()); !status.ok()) return status;
  static_cast<const Entry*>(plan.implementation)->packing.pack(plan.geometry, w.data(), packed.data());
  return {};
}

Status forward(const Plan& plan, std::span<const float> x, std::span<const float> w, std::span<const float> b,
               std::span<float> y, std::span<float> workspace, const ProgressHook& progress,
               const Team& team) noexcept {
  return forward_with(plan, x, {.w = w}, b, y, workspace, progress, team);
}

Status forward_packed(const Plan& plan, std::span<const float> x, std::span<const float> packed,
                      std::span<const float> b, std::span<float> y, std::span<float> workspace,
                      const ProgressHook& progress, const Team& team) noexcept {
  return forward_with(plan, x, {.packed = packed, .are_packed = true}, b, y, workspace, progress, team);
}

Status backward_data(const Plan& plan, std::span<const float> dy, std::span<const float> w, std::span<float> dx,
                     std::span<float> workspace, const ProgressHook& progress, const Team& team) noexcept {
  return backward_data_with(plan, dy, {.w = w}, dx, workspace, progress, team);
}

Status backward_data_packed(const Plan& plan, std::span<const float> dy, std::span<const float> packed,
                            std::span<float> dx, std::span<float> workspace, const ProgressHook& progress,
                            const Team& team) noexcept {
  return backward_data_with(plan, dy, {.packed = packed, .are_packed = true}, dx, workspace, progress, team);
}

Status backward_weights(const Plan& plan, std::span<const float> x, std::span<const float> dy, std::span<float> dw,
                        std::span<float> workspace, const ProgressHook& progress, const Team& team) noexcept {
  if (Status status = check_plan(plan, Pass::backward_weights); !status.ok()) return status;
  const Geometry& g = plan.geometry;
  Status status =
      check_lengths({{"x", x.size(), g.x_shape()}, {"dy", dy.size(), g.y_shape()}, {"dw", dw.size(), g.w_shape()}});
  if (!status.ok()) return status;
  return run(plan, {.x = x.data(), .dy = dy.data(), .out = dw.data()}, workspace, progress, team);
}

Status backward_bias(const Plan& plan, std::span<const float> dy, std::span<float> db, std::span<float> workspace,
                     const ProgressHook& progress, const Team& team) noexcept {
  if (Status status = check_plan(plan, Pass::backward_bias); !status.ok()) return status;
  const Geometry& g = plan.geometry;
  if (Status status = check_lengths({{"dy", dy.size(), g.y_shape()}}); !status.ok()) return status;
  if (db.size() != static_cast<std::uint64_t>(g.k)) return length_mismatch("db", db.size(), g.k, "one per filter");
  return run(plan, {.dy = dy.data(), .out = db.data()}, workspace, progress, team);
}

}  // namespace conv2d
