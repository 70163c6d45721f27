#include "algorithms/run_shares.hpp"

#include <algorithm>
#include <atomic>

#include "base/checked.hpp"

namespace conv2d::algorithm {
namespace {

constexpr int kMostShares = 64;

/// Floats of one share of several; -1 when they overflow.
std::int64_t share_floats(const Entry& entry, const Geometry& g, int shares) {
  const auto needed = entry.division.workspace_floats;
  return kThreads && shares > 1 && needed ? needed(g, shares) : entry.workspace_floats(g);
}

/// Floats that all shares of a run read; -1 when they overflow.
std::int64_t common_floats(const Entry& entry, const Geometry& g, int shares) {
  return kThreads && shares > 1 && entry.division.prepare ? entry.division.common_floats(g, shares) : 0;
}

/// What the shares of one run have in common.
struct Run {
  const Entry& entry;
  const Geometry& g;
  const Operands& operands;
  float* workspace;     ///< what is common to all lies first
  std::int64_t common;  ///< floats
  std::int64_t floats;  ///< of each share
  const Execution& execution;
  std::atomic<bool> stopped{false};

  [[nodiscard]] Operands of_share(int index) const noexcept {
    Operands own = operands;
    own.share = {index, execution.shares};
    own.common = workspace;
    return own;
  }
  [[nodiscard]] float* scratch_of(int index) const noexcept { return workspace + common + index * floats; }

  void prepare(int index) const noexcept { entry.division.prepare(g, of_share(index), scratch_of(index)); }
  void share(int index, const ProgressHook& hook) noexcept {
    if (stopped.load(std::memory_order_relaxed)) return;
    if (!entry.run(g, of_share(index), scratch_of(index), hook)) stopped.store(true, std::memory_order_relaxed);
  }
};

void prepare_on_team(void* given, int index) noexcept { static_cast<const Run*>(given)->prepare(index); }

/// Share 0, on the calling thread, asks the caller's hook and stops the others; they only look whether to go on.
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
  if (!run.execution.progress.step) return run.share(index, {});
  run.share(index, {.step = index == 0 ? +ask : +look, .context = &run});
}

/// One share after the other on the calling thread: the hook is told how far they are together.
void run_in_turn(Run& run) noexcept {
  struct Turn {
    const ProgressHook& hook;
    std::int64_t index, count;
  };
  const auto step = [](void* context, std::int64_t done, std::int64_t total) {
    constexpr std::int64_t kParts = 1 << 20;  // of a share: shares count in steps of their own
    const auto& turn = *static_cast<const Turn*>(context);
    const double fraction = total > 0 ? static_cast<double>(done) / static_cast<double>(total) : 1.0;
    const auto parts = static_cast<std::int64_t>(fraction * kParts);
    return turn.hook.step(turn.hook.context, turn.index * kParts + parts, turn.count * kParts);
  };
  const ProgressHook& hook = run.execution.progress;
  const int shares = run.execution.shares;
  for (int i = 0; i < shares && run.entry.division.prepare; ++i) run.prepare(i);
  for (int i = 0; i < shares; ++i) {
    Turn turn{hook, i, shares};
    run.share(i, hook.step ? ProgressHook{.step = step, .context = &turn} : ProgressHook{});
  }
}

}  // namespace

int share_count(const Entry& entry, const Geometry& g, int most, std::int64_t macs_per_share) {
  if (!kThreads || !entry.division.shares) return 1;
  const std::int64_t pay = g.macs() / std::max<std::int64_t>(1, macs_per_share);
  const auto shares = static_cast<int>(std::min<std::int64_t>({most, kMostShares, pay}));
  // An image without rows has no parts, and is still run once.
  return shares > 1 ? std::max(1, entry.division.shares(g, shares)) : 1;
}

std::int64_t shares_workspace(const Entry& entry, const Geometry& g, int shares) {
  const std::int64_t common = common_floats(entry, g, shares);
  const std::int64_t each = share_floats(entry, g, shares);
  return common < 0 || each < 0 ? -1 : (CheckedInt(each) * shares + common).value_or(-1);
}

bool run_shares(const Entry& entry, const Geometry& g, const Operands& operands, float* workspace,
                const Execution& execution) noexcept {
  if (!kThreads || execution.shares == 1) return entry.run(g, operands, workspace, execution.progress);
  Run run{.entry = entry,
          .g = g,
          .operands = operands,
          .workspace = workspace,
          .common = common_floats(entry, g, execution.shares),
          .floats = share_floats(entry, g, execution.shares),
          .execution = execution};
  const Team& team = execution.team;
  if (team.run && team.threads >= execution.shares) {
    if (entry.division.prepare) team.run(team.context, execution.shares, prepare_on_team, &run);
    team.run(team.context, execution.shares, run_on_team, &run);
  } else {
    run_in_turn(run);
  }
  return !run.stopped.load(std::memory_order_relaxed);
}

}  // namespace conv2d::algorithm
