#pragma once

#include <algorithm>
#include <cstdint>

#include "base/range.hpp"
#include "conv2d/conv2d.hpp"

/// Work in portions, between which the caller is asked whether to go on.
namespace conv2d::engine {

/// Multiply-adds between two calls of the progress hook: about a millisecond, so that a cancelled run stops at once
/// and asking costs nothing.
inline constexpr std::int64_t kMacsPerPortion = std::int64_t{1} << 20;

/// Tells the progress hook how far a run is, once per portion of work.
class Progress {
 public:
  Progress(const ProgressHook& hook, std::int64_t total) noexcept : hook_(hook), total_(total) {}

  /// `macs` more multiply-adds are done. False when the hook asks to stop.
  [[nodiscard]] bool advance(std::int64_t macs) noexcept {
    done_ = std::min(done_ + macs, total_);
    since_call_ += macs;
    if (!hook_.step || since_call_ < kMacsPerPortion) return true;
    since_call_ = 0;
    return hook_.step(hook_.context, done_, total_);
  }

 private:
  ProgressHook hook_;
  std::int64_t total_;
  std::int64_t done_ = 0;
  std::int64_t since_call_ = 0;
};

/// Runs work(Range) over [0, steps) in portions, of which a step has about `macs_per_step` multiply-adds. False when
/// the hook asked to stop.
template <class Work>
bool in_portions(std::int64_t steps, std::int64_t macs_per_step, const ProgressHook& hook, Work work) noexcept {
  const std::int64_t portion = std::max<std::int64_t>(1, kMacsPerPortion / std::max<std::int64_t>(1, macs_per_step));
  for (std::int64_t begin = 0; begin < steps; begin += portion) {
    const std::int64_t end = std::min(begin + portion, steps);
    work(Range{begin, end});
    if (hook.step && !hook.step(hook.context, end, steps)) return false;
  }
  return true;
}

}  // namespace conv2d::engine
