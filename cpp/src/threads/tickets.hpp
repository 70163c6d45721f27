#pragma once

#include <atomic>
#include <cstdint>

namespace conv2d::threads {

/// The tasks of a run that no thread has begun, in one word: the number of the run, the number of its tasks, and the
/// next task. The number of the run keeps a thread that is late from taking a task of the next run by mistake.
class Tickets {
 public:
  /// Offers the tasks [first, count) of a new run. Precondition: no task of the run before is left.
  void open(std::uint32_t count, std::uint32_t first) noexcept {
    const std::uint64_t run = (state_.load(std::memory_order_relaxed) >> kRunShift) + 1;
    state_.store(run << kRunShift | count << kCountShift | first, std::memory_order_release);
  }

  /// A task that no other thread takes; -1 when none is left.
  int take() noexcept {
    std::uint64_t now = state_.load(std::memory_order_acquire);
    while (next(now) < count(now)) {
      if (state_.compare_exchange_weak(now, now + 1, std::memory_order_acq_rel, std::memory_order_acquire)) {
        return static_cast<int>(next(now));
      }
    }
    return -1;
  }

 private:
  static constexpr int kRunShift = 32, kCountShift = 16;
  static constexpr std::uint64_t kMask = 0xFFFF;

  static std::uint64_t next(std::uint64_t state) noexcept { return state & kMask; }
  static std::uint64_t count(std::uint64_t state) noexcept { return state >> kCountShift & kMask; }

  std::atomic<std::uint64_t> state_{0};
};

}  // namespace conv2d::threads
