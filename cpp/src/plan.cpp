#include <algorithm>
#include <span>
#include <string>

#include "algorithms/algorithm_entry.hpp"
#include "algorithms/prepared_pass.hpp"
#include "base/errors.hpp"
#include "base/range.hpp"
#include "conv2d/version.hpp"
#include "plan_report.hpp"

namespace conv2d {

const Geometry& Plan::geometry() const noexcept { return prepared_->geometry(); }
Pass Plan::pass() const noexcept { return prepared_->entry().pass; }
std::string_view Plan::algorithm() const noexcept { return prepared_->entry().name; }
std::string_view Plan::instruction_set() const noexcept { return prepared_->instruction_set(); }
std::int64_t Plan::workspace_floats() const noexcept { return prepared_->workspace_floats(); }
std::int64_t Plan::packed_floats() const noexcept { return prepared_->packed_floats(); }
int Plan::threads() const noexcept { return prepared_->threads(); }

namespace {

using algorithm::Entry;
using algorithm::PreparedPass;
using algorithm::PrepareOptions;

std::span<const Entry> entries_of(Pass pass) noexcept {
  // Not equal_range: clang 14 cannot read its result in libstdc++.
  const std::span<const Entry> all = algorithm::list();
  return {std::ranges::lower_bound(all, pass, {}, &Entry::pass), std::ranges::upper_bound(all, pass, {}, &Entry::pass)};
}

constexpr std::string_view kTooLarge = "its workspace does not fit into the address space";

/// The choice for all numbers of threads takes an algorithm that cannot be divided only where it is faster by this on
/// one thread. (112 x 112 x 16 -> 256, 5 x 5: col2im took as long as implicit_gemm on one thread, and twice as long on
/// two.)
constexpr double kUndivided = 1.3;
/// Fewest multiply-adds for this, about those of two threads.
constexpr std::int64_t kUndividedMacs = std::int64_t{1} << 21;
/// A division must save a quarter of the time: with a busy processor it then takes no longer than one thread.
constexpr double kDividedAtMost = 0.75;

/// The options of a plan, as every algorithm needs them.
struct Requirements {
  PrepareOptions prepare_options;
  int threads = 1;  ///< maximum
  Accuracy accuracy = Accuracy::fast;
  bool deterministic = true;
  bool always_divided = false;  ///< even when the estimate is slower
  double undivided = 1;         ///< factor of the cost of algorithms that cannot be divided

  /// The requirements under which the costs of algorithms are compared.
  [[nodiscard]] Requirements for_choice() const noexcept {
    Requirements choice = *this;
    if (kThreads && deterministic) choice.threads = 1;
    return choice;
  }
};

Result<Requirements> requirements_of(const Geometry& g, Pass pass, const PlanOptions& options) {
  Status status = check_enumerator("pass", pass, Pass::backward_bias);
  if (status.ok()) status = check_enumerator("accuracy", options.accuracy, Accuracy::strict);
  if (!status.ok()) return status;
  if (options.accumulate && (pass == Pass::forward || pass == Pass::backward_data)) {
    return Status{ErrorCode::unsupported, "accumulate",
                  text("accumulate adds to dw or db, but the pass is ", to_string(pass))};
  }
  if (options.threads < 1) {
    return Status{ErrorCode::invalid_argument, "threads",
                  text("threads is ", options.threads, ", but must be at least 1, the calling thread")};
  }
  const auto kernels = algorithm::kernels_of(options.instruction_set);
  if (!kernels.ok()) return kernels.status();
  const std::int64_t worthwhile = g.macs() / std::max<std::int64_t>(1, options.macs_per_thread);
  const auto threads = static_cast<int>(std::min<std::int64_t>({options.threads, kMaxThreads, worthwhile}));
  return Requirements{.prepare_options = {.kernels = *kernels,
                                          .packed_weights = options.packed_weights,
                                          .accumulate = options.accumulate},
                      .threads = std::max(1, threads),
                      .accuracy = options.accuracy,
                      .deterministic = options.deterministic,
                      .always_divided = options.macs_per_thread < 1,
                      .undivided = options.deterministic && g.macs() >= kUndividedMacs ? kUndivided : 1.0};
}

std::string unsupported_reason(const Entry& entry, const Geometry& g, Accuracy accuracy) {
  if (entry.accuracy >= accuracy) return entry.unsupported_reason(g);
  return "it is less exact than PlanOptions::accuracy requires";
}

/// The numbers of parts that are tried. The same for all numbers of threads, so that more threads never take longer.
constexpr int kPartCounts[] = {64, 56, 48, 40, 32, 28, 24, 20, 16, 14, 12, 10, 8, 7, 6, 5, 4, 3, 2, 1};
/// Most parts that a thread takes one after the other: the fewer, the longer the others wait for a late thread.
constexpr int kPartsPerThread = 4;

/// The pass, prepared in the number of parts with the lowest estimate. Null when its workspace is too large even for
/// one thread. Precondition: the entry supports the geometry.
std::shared_ptr<const PreparedPass> prepare(const Entry& entry, const Geometry& g, const Requirements& requirements) {
  std::shared_ptr<const PreparedPass> best;
  PrepareOptions options = requirements.prepare_options;
  if (!kThreads) {
    auto prepared = std::make_shared<const PreparedPass>(entry, g, options, 1);
    return prepared->workspace_floats() >= 0 ? std::move(prepared) : nullptr;
  }
  int most = requirements.threads > 1 ? requirements.threads * kPartsPerThread : 1;
  for (const int parts : kPartCounts) {
    if (parts > most) continue;
    options.parts = parts;
    auto prepared = std::make_shared<const PreparedPass>(entry, g, options, requirements.threads);
    const bool fits = prepared->workspace_floats() >= 0;
    most = std::min(parts, prepared->parts()) - 1;
    const double pays = best && prepared->parts() == 1 ? kDividedAtMost : 1.0;
    if (fits && (!best || pays * prepared->cost() <= best->cost())) best = std::move(prepared);
    if (best && requirements.always_divided) break;
  }
  return best;
}

/// The estimate by which algorithms are compared.
double cost_of_choice(const PreparedPass& prepared, const Requirements& requirements) noexcept {
  return prepared.divides() ? prepared.cost() : prepared.cost() * requirements.undivided;
}

/// The chosen pass, divided among threads if the choice was made for one thread.
std::shared_ptr<const PreparedPass> divided(std::shared_ptr<const PreparedPass> chosen, const Geometry& g,
                                            const Requirements& requirements) {
  if (!kThreads || !requirements.deterministic || requirements.threads == 1) return chosen;
  return prepare(chosen->entry(), g, requirements);
}

AlgorithmInfo describe(const Entry& entry, const Geometry& g, const Result<Requirements>& requirements) {
  AlgorithmInfo info{.name = entry.name,
                     .description = entry.description,
                     .reason = requirements.ok() ? unsupported_reason(entry, g, requirements->accuracy)
                                                 : std::string(requirements.status().message),
                     .accuracy = entry.accuracy};
  if (!info.reason.empty()) return info;
  const auto compared = prepare(entry, g, requirements->for_choice());
  if (!compared) {
    info.reason = kTooLarge;
    return info;
  }
  info.supported = true;
  info.workspace_floats = divided(compared, g, *requirements)->workspace_floats();
  info.cost = cost_of_choice(*compared, *requirements);
  info.error_bound = entry.error_bound(g);
  info.mixes_cells = entry.accuracy != Accuracy::strict;
  return info;
}

Result<Plan> plan_by_name(const Geometry& g, Pass pass, std::string_view name, const Requirements& requirements) {
  Message names;
  for (const Entry& entry : entries_of(pass)) {
    if (entry.name != name) {
      names += names.empty() ? "" : ", ";
      names += entry.name;
      continue;
    }
    const auto refused = [&](ErrorCode code, std::string_view reason) {
      return Status{code, "algorithm", text("algorithm ", name, " cannot run here: ", reason)};
    };
    const std::string reason = unsupported_reason(entry, g, requirements.accuracy);
    if (!reason.empty()) return refused(ErrorCode::unsupported, reason);
    auto prepared = prepare(entry, g, requirements);
    if (!prepared) return refused(ErrorCode::overflow, kTooLarge);
    return PreparedPass::plan(std::move(prepared));
  }
  return Status{ErrorCode::unknown_algorithm, "algorithm",
                text(to_string(pass), " has no algorithm \"", name, "\"; it has ", names)};
}

Result<Plan> plan_cheapest(const Geometry& g, Pass pass, const Requirements& requirements) {
  std::shared_ptr<const PreparedPass> best;
  double least = 0;
  for (const Entry& entry : entries_of(pass)) {
    if (!unsupported_reason(entry, g, requirements.accuracy).empty()) continue;
    auto prepared = prepare(entry, g, requirements.for_choice());
    if (!prepared) continue;
    const double cost = cost_of_choice(*prepared, requirements);
    if (best && cost >= least) continue;
    best = std::move(prepared);
    least = cost;
  }
  if (!best) {
    return Status{ErrorCode::unsupported, "algorithm",
                  text("no algorithm of ", to_string(pass), " supports this geometry")};
  }
  return PreparedPass::plan(divided(std::move(best), g, requirements));
}

}  // namespace

std::vector<AlgorithmInfo> algorithms(const Geometry& geometry, Pass pass, const PlanOptions& options) {
  const Result<Requirements> requirements = requirements_of(geometry, pass, options);
  const std::span<const Entry> entries = entries_of(pass);
  std::vector<AlgorithmInfo> infos(entries.size());
  std::ranges::transform(entries, infos.begin(),
                         [&](const Entry& entry) { return describe(entry, geometry, requirements); });
  return infos;
}

Result<Plan> plan(const Geometry& geometry, Pass pass, const PlanOptions& options) {
  const Result<Requirements> requirements = requirements_of(geometry, pass, options);
  if (!requirements.ok()) return requirements.status();
  Result<Plan> made = options.algorithm.empty() ? plan_cheapest(geometry, pass, *requirements)
                                                : plan_by_name(geometry, pass, options.algorithm, *requirements);
  if (made.ok()) report_plan(*made, options);
  return made;
}

Result<Plan> plan(const ConvDesc& desc, Pass pass, const PlanOptions& options) {
  Result<Geometry> geometry = resolve(desc);
  if (!geometry.ok()) return geometry.status();
  return plan(*geometry, pass, options);
}

#define CONV2D_TEXT(number) #number
#define CONV2D_DOTTED(major, minor, patch) CONV2D_TEXT(major) "." CONV2D_TEXT(minor) "." CONV2D_TEXT(patch)

std::string_view version() noexcept {
  return CONV2D_DOTTED(CONV2D_VERSION_MAJOR, CONV2D_VERSION_MINOR, CONV2D_VERSION_PATCH);
}

}  // namespace conv2d
