#include "algorithms/run_parts.hpp"

#include <atomic>

namespace conv2d::algorithm {
namespace {

using engine::Operands;
using engine::Prepared;

/// What the parts of one run have in common.
struct Run {
  const Prepared& prepared;
  const Operands& operands;
  const PartsMemory& memory;
  const Execution& execution;
  std::atomic<bool> stopped{false};

  [[nodiscard]] Part part(int index) const noexcept { return {index, prepared.parts()}; }
  void fill_common(int index) const noexcept { prepared.fill_common(operands, part(index), memory.of(index)); }
  void run(int index, const ProgressHook& hook) noexcept {
    if (stopped.load(std::memory_order_relaxed)) return;
    if (!prepared.run(operands, part(index), memory.of(index), hook)) stopped.store(true, std::memory_order_relaxed);
  }
};

void fill_on_team(void* given, int index) noexcept { static_cast<const Run*>(given)->fill_common(index); }

/// Part 0, on the calling thread, asks the caller's hook and stops the others; they only look whether to go on.
void run_on_team(void* given, int index) noexcept {
  auto& run = *static_cast<Run*>(given);
  const auto ask = [](void* context, std::int64_t done, std::int64_t total) {
    auto& asking = *static_cast<Run*>(context);
    const ProgressHook& hook = asking.execution.progress;
    if (!hook.step(hook.context, done, total)) asking.stopped.store(true, std::memory_order_relaxed);
    return !asking.stopped.load(std::memory_order_relaxed);
  };
  const auto look = [](void* context, std::int64_t, std::int64_t) {
    return !static_cast<Run*>(context)->stopped.load(std::memory_order_relaxed);
  };
  if (!run.execution.progress.step) return run.run(index, {});
  run.run(index, {.step = index == 0 ? +ask : +look, .context = &run});
}

/// One part after the other on the calling thread: the hook is told how far they are together.
void run_in_turn(Run& run) noexcept {
  struct Turn {
    const ProgressHook& hook;
    std::int64_t index, count;
  };
  const auto step = [](void* context, std::int64_t done, std::int64_t total) {
    constexpr std::int64_t kWhole = 1 << 20;  // of a part: parts count in steps of their own
    const auto& turn = *static_cast<const Turn*>(context);
    const double fraction = total > 0 ? static_cast<double>(done) / static_cast<double>(total) : 1.0;
    const auto done_of_part = static_cast<std::int64_t>(fraction * kWhole);
    return turn.hook.step(turn.hook.context, turn.index * kWhole + done_of_part, turn.count * kWhole);
  };
  const ProgressHook& hook = run.execution.progress;
  const int parts = run.prepared.parts();
  for (int i = 0; i < parts && run.prepared.fills_common(); ++i) run.fill_common(i);
  for (int i = 0; i < parts; ++i) {
    Turn turn{hook, i, parts};
    run.run(i, hook.step ? ProgressHook{.step = step, .context = &turn} : ProgressHook{});
  }
}

}  // namespace

bool run_parts(const Prepared& prepared, const Operands& operands, const PartsMemory& memory,
               const Execution& execution) noexcept {
  const int parts = prepared.parts();
  if (!kThreads || parts == 1) return prepared.run(operands, {}, memory.of(0), execution.progress);
  Run run{.prepared = prepared, .operands = operands, .memory = memory, .execution = execution};
  const Team& team = execution.team;
  if (team.run && team.threads >= parts) {
    if (prepared.fills_common()) team.run(team.context, parts, fill_on_team, &run);
    team.run(team.context, parts, run_on_team, &run);
  } else {
    run_in_turn(run);
  }
  return !run.stopped.load(std::memory_order_relaxed);
}

}  // namespace conv2d::algorithm
