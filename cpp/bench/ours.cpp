#include <map>
#include <stdexcept>

#include "conv2d/thread_pool.hpp"
#include "problem.hpp"

namespace conv2d::bench {
namespace {

void throw_on_error(const Status& status) {
  if (!status.ok()) throw std::runtime_error(status.message);
}

/// One pool per number of threads. Idle pools sleep.
Team team_of(int threads) {
  static std::map<int, ThreadPool> pools;
  return threads == 1 ? Team{} : pools.try_emplace(threads, threads).first->second.team();
}

PlanOptions options(std::string_view algorithm, int threads) {
  return {.algorithm = algorithm, .threads = threads, .packed_weights = true};
}

/// The weights are packed once, as in a model, where the algorithm packs them.
Runner prepare(const Problem& problem, std::string_view algorithm, int threads) {
  const Result<Plan> planned = plan(problem.geometry, problem.pass, options(algorithm, threads));
  throw_on_error(planned.status());
  const auto packed = std::make_shared<std::vector<float>>(planned->packed_floats());
  if (!packed->empty()) throw_on_error(pack_weights(*planned, problem.w, *packed));
  const auto output = std::make_shared<std::vector<float>>(problem.geometry.result_size(problem.pass));
  const auto workspace = std::make_shared<std::vector<float>>(planned->workspace_floats());
  return {
      .run =
          [plan = *planned, &problem, packed, output, workspace, team = team_of(threads)] {
            const Tensors tensors{
                .x = problem.x, .w = problem.w, .packed = *packed, .b = problem.b, .dy = problem.dy, .out = *output};
            throw_on_error(run(plan, tensors, {.workspace = *workspace, .team = team}));
          },
      .output = [output] { return std::span<const float>(*output); },
      .workspace_floats = planned->workspace_floats()};
}

std::string party_of(int threads) { return threads == 1 ? "ours/" : "ours-" + std::to_string(threads) + "-threads/"; }

}  // namespace

std::vector<Entrant> ours(const Geometry& geometry, Pass pass, std::span<const int> threads) {
  const Result<Plan> chosen = plan(geometry, pass, options({}, 1));
  throw_on_error(chosen.status());
  std::vector<Entrant> entrants;
  for (const int count : threads) {
    const std::string party = party_of(count);
    // The name of the chosen algorithm is part of the entrant's name: Google Benchmark's output has no other field for
    // it.
    entrants.push_back({party + "plan:" + std::string(chosen->algorithm()),
                        [count](const Problem& problem) { return prepare(problem, {}, count); }});
    for (const AlgorithmInfo& info : algorithms(geometry, pass)) {
      if (!info.supported) continue;
      entrants.push_back(
          {party + std::string(info.name),
           [name = std::string(info.name), count](const Problem& problem) { return prepare(problem, name, count); }});
    }
  }
  return entrants;
}

std::vector<Entrant> ours_strict(const Geometry& geometry, Pass pass, std::span<const int> threads) {
  const Result<Plan> fast = plan(geometry, pass, options({}, 1));
  throw_on_error(fast.status());
  if (!fast->algorithm().starts_with("winograd")) return {};
  PlanOptions strict = options({}, 1);
  strict.accuracy = Accuracy::strict;
  const Result<Plan> chosen = plan(geometry, pass, strict);
  throw_on_error(chosen.status());
  std::vector<Entrant> entrants;
  for (const int count : threads) {
    const std::string name(chosen->algorithm());
    entrants.push_back({party_of(count).append("strict:").append(name),
                        [name, count](const Problem& problem) { return prepare(problem, name, count); }});
  }
  return entrants;
}

}  // namespace conv2d::bench
