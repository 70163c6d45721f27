#include "plan.hpp"

#include <algorithm>
#include <string>

#include "algorithms/instruction_set.hpp"
#include "base/text.hpp"

namespace conv2d {

Plan PlanAccess::make(const Geometry& g, std::shared_ptr<const algorithm::PreparedPass> prepared) {
  Plan plan(g);
  plan.pass_ = prepared->entry().pass;
  plan.algorithm_ = prepared->entry().name;
  plan.instruction_set_ = prepared->instruction_set();
  plan.workspace_floats_ = prepared->workspace_floats();
  plan.packed_floats_ = prepared->packed_floats();
  plan.threads_ = prepared->parts();
  plan.prepared_ = std::move(prepared);
  return plan;
}

namespace {

using algorithm::Entry;
using algorithm::PreparedPass;
using algorithm::Request;

constexpr std::string_view kTooLarge = "its workspace would not fit into the address space";

/// What the options ask every algorithm for. A pass whose threads would have too little to do gets fewer.
Result<Request> request_of(const Geometry& g, const PlanOptions& options) {
  if (options.threads < 1) {
    return Status{ErrorCode::invalid_argument, "threads",
                  text("threads is ", options.threads, ", but a run has at least the calling one")};
  }
  const auto kernels = algorithm::kernels_of(options.instruction_set);
  if (!kernels.ok()) return kernels.status();
  constexpr int kMostParts = 64;
  const std::int64_t pay = g.macs() / std::max<std::int64_t>(1, options.macs_per_thread);
  const auto threads = static_cast<int>(std::min<std::int64_t>({options.threads, kMostParts, pay}));
  return Request{.kernels = *kernels, .threads = std::max(1, threads), .packed_weights = options.packed_weights};
}

/// Null when its workspace would be too large even for one thread. Precondition: the entry supports the geometry.
std::shared_ptr<const PreparedPass> prepare(const Entry& entry, const Geometry& g, Request request) {
  auto prepared = std::make_shared<const PreparedPass>(entry, g, request);
  if (prepared->workspace_floats() < 0 && prepared->parts() > 1) {
    request.threads = 1;
    prepared = std::make_shared<const PreparedPass>(entry, g, request);
  }
  return prepared->workspace_floats() < 0 ? nullptr : prepared;
}

AlgorithmInfo describe(const Entry& entry, const Geometry& g, const Result<const engine::KernelSet*>& kernels) {
  AlgorithmInfo info{.name = entry.name, .description = entry.description, .reason = entry.why_not(g)};
  if (info.reason.empty() && !kernels.ok()) info.reason = kernels.status().message;
  if (!info.reason.empty()) return info;
  const auto prepared = prepare(entry, g, {.kernels = *kernels});
  if (!prepared) {
    info.reason = kTooLarge;
    return info;
  }
  info.supported = true;
  info.workspace_floats = prepared->workspace_floats();
  info.cost = prepared->cost();
  info.error_bound = entry.error_bound(g);
  info.mixes_cells = entry.mixes_cells;
  return info;
}

Result<Plan> plan_by_name(const Geometry& g, Pass pass, std::string_view name, const Request& request) {
  std::string names;
  for (const Entry& entry : algorithm::list()) {
    if (entry.pass != pass) continue;
    if (entry.name != name) {
      names += text(names.empty() ? "" : ", ", entry.name);
      continue;
    }
    const auto cannot = [&](ErrorCode code, std::string_view reason) {
      return Status{code, "algorithm", text("algorithm ", name, " cannot run here: ", reason)};
    };
    const std::string reason = entry.why_not(g);
    if (!reason.empty()) return cannot(ErrorCode::unsupported, reason);
    auto prepared = prepare(entry, g, request);
    if (!prepared) return cannot(ErrorCode::overflow, kTooLarge);
    return PlanAccess::make(g, std::move(prepared));
  }
  return Status{ErrorCode::unknown_algorithm, "algorithm",
                text(to_string(pass), " has no algorithm \"", name, "\"; it has ", names)};
}

Result<Plan> plan_cheapest(const Geometry& g, Pass pass, const Request& request) {
  std::shared_ptr<const PreparedPass> best;
  for (const Entry& entry : algorithm::list()) {
    if (entry.pass != pass || !entry.why_not(g).empty()) continue;
    auto prepared = prepare(entry, g, request);
    if (prepared && (!best || prepared->cost() < best->cost())) best = std::move(prepared);
  }
  if (best) return PlanAccess::make(g, std::move(best));
  return Status{ErrorCode::unsupported, "algorithm",
                text("no algorithm of ", to_string(pass), " supports this geometry")};
}

}  // namespace

std::vector<AlgorithmInfo> algorithms(const Geometry& geometry, Pass pass) {
  std::vector<AlgorithmInfo> infos;
  const auto kernels = algorithm::default_kernels();
  for (const Entry& entry : algorithm::list()) {
    if (entry.pass == pass) infos.push_back(describe(entry, geometry, kernels));
  }
  return infos;
}

Result<Plan> plan(const Geometry& geometry, Pass pass, const PlanOptions& options) {
  const Result<Request> request = request_of(geometry, options);
  if (!request.ok()) return request.status();
  return options.algorithm.empty() ? plan_cheapest(geometry, pass, *request)
                                   : plan_by_name(geometry, pass, options.algorithm, *request);
}

Result<Plan> plan(const ConvDesc& desc, Pass pass, const PlanOptions& options) {
  Result<Geometry> geometry = resolve(desc);
  if (!geometry.ok()) return geometry.status();
  return plan(*geometry, pass, options);
}

}  // namespace conv2d
