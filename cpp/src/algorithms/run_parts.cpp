#include "algorithms/run_parts.hpp"

#include <atomic>

namespace conv2d::algorithm {
namespace {

using engine::Executable;
using engine::Operands;

/// The common state of the parts of one run.
struct Run {
  const Executable& executable;
  const Operands& operands;
  const PartsMemory& memory;
  const Execution& execution;
  std::atomic<bool> stopped{false};

  [[nodiscard]] Part part(int index) const noexcept { return {index, executable.parts()}; }
  void fill_common(int index) const noexcept { executable.fill_common(operands, part(index), memory.of(index)); }
  void run(int index, const ProgressHook& hook) noexcept {
    if (stopped.load(std::memory_order_relaxed)) return;
    if (!executable.run(operands, part(index), memory.of(index), hook)) stopped.store(true, std::memory_order_relaxed);
  }
};

void fill_on_team(void* argument, int index) noexcept { static_cast<const Run*>(argument)->fill_common(index); }

/// Part 0, on the calling thread, calls the caller's hook and stops the other parts, which only check for the stop.
void run_on_team(void* argument, int index) noexcept {
  auto& run = *static_cast<Run*>(argument);
  const auto call_hook = [](void* context, std::int64_t done, std::int64_t total) noexcept {
    auto& state = *static_cast<Run*>(context);
    const ProgressHook& hook = state.execution.progress;
    if (!hook.step(hook.context, done, total)) state.stopped.store(true, std::memory_order_relaxed);
    return !state.stopped.load(std::memory_order_relaxed);
  };
  const auto check_stopped = [](void* context, std::int64_t, std::int64_t) noexcept {
    return !static_cast<Run*>(context)->stopped.load(std::memory_order_relaxed);
  };
  if (!run.execution.progress.step) return run.run(index, {});
  run.run(index, {.step = index == 0 ? +call_hook : +check_stopped, .context = &run});
}

/// Runs one part after the other on the calling thread. The hook gets their combined progress.
void run_sequentially(Run& run) noexcept {
  struct PartProgress {
    const ProgressHook& hook;
    std::int64_t index, count;
  };
  const auto step = [](void* context, std::int64_t done, std::int64_t total) noexcept {
    constexpr std::int64_t kWhole = 1 << 20;  // steps that the hook sees per part
    const auto& part = *static_cast<const PartProgress*>(context);
    const double fraction = total > 0 ? static_cast<double>(done) / static_cast<double>(total) : 1.0;
    const auto done_of_part = static_cast<std::int64_t>(fraction * kWhole);
    return part.hook.step(part.hook.context, part.index * kWhole + done_of_part, part.count * kWhole);
  };
  const ProgressHook& hook = run.execution.progress;
  const int parts = run.executable.parts();
  for (int i = 0; i < parts && run.executable.fills_common(); ++i) run.fill_common(i);
  for (int i = 0; i < parts; ++i) {
    PartProgress part{hook, i, parts};
    run.run(i, hook.step ? ProgressHook{.step = step, .context = &part} : ProgressHook{});
  }
}

}  // namespace

bool run_parts(const Executable& executable, const Operands& operands, const PartsMemory& memory,
               const Execution& execution) noexcept {
  const int parts = executable.parts();
  if (!kThreads || parts == 1) return executable.run(operands, {}, memory.of(0), execution.progress);
  Run run{.executable = executable, .operands = operands, .memory = memory, .execution = execution};
  const Team& team = execution.team;
  if (team.run && team.threads >= parts) {
    if (executable.fills_common()) team.run(team.context, parts, fill_on_team, &run);
    team.run(team.context, parts, run_on_team, &run);
  } else {
    run_sequentially(run);
  }
  return !run.stopped.load(std::memory_order_relaxed);
}

}  // namespace conv2d::algorithm
