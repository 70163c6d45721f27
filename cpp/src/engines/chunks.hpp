#pragma once

#include <algorithm>
#include <cstdint>

#include "base/range.hpp"
#include "conv2d/conv2d.hpp"

/// Work in chunks. Between two chunks the progress hook can cancel the run.
namespace conv2d::engine {

/// Multiply-adds between two calls of the progress hook: about a millisecond. A canceled run stops at once, and the
/// calls cost nothing measurable.
inline constexpr std::int64_t kMacsPerChunk = std::int64_t{1} << 20;

/// Calls the progress hook once per chunk of work.
class Progress {
 public:
  Progress(const ProgressHook& hook, std::int64_t total) noexcept : hook_(hook), total_(total) {}

  /// Counts `macs` more multiply-adds. False when the hook cancels the run.
  [[nodiscard]] bool advance(std::int64_t macs) noexcept {
    done_ = std::min(done_ + macs, total_);
    since_call_ += macs;
    if (!hook_.step || since_call_ < kMacsPerChunk) return true;
    since_call_ = 0;
    return hook_.step(hook_.context, done_, total_);
  }

 private:
  ProgressHook hook_;
  std::int64_t total_;
  std::int64_t done_ = 0;
  std::int64_t since_call_ = 0;
};

/// Calls work(Range) for [0, steps) in chunks; a step has about `macs_per_step` multiply-adds. False when the hook
/// cancels the run.
template <class Work>
bool in_chunks(std::int64_t steps, std::int64_t macs_per_step, const ProgressHook& hook, Work work) noexcept {
  const std::int64_t chunk = std::max<std::int64_t>(1, kMacsPerChunk / std::max<std::int64_t>(1, macs_per_step));
  for (std::int64_t begin = 0; begin < steps; begin += chunk) {
    const std::int64_t end = std::min(begin + chunk, steps);
    work(Range{begin, end});
    if (hook.step && !hook.step(hook.context, end, steps)) return false;
  }
  return true;
}

}  // namespace conv2d::engine
