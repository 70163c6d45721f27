#pragma once

#include <atomic>
#include <cstdint>

#ifdef __EMSCRIPTEN__
#include <emscripten/emscripten.h>
#include <emscripten/threading.h>

#include <climits>
#include <limits>
#else
#include <chrono>
#endif

/// Sleeping until a word changes.
namespace conv2d::threads {

using Word = std::atomic<std::uint32_t>;

/// Returns at once when `word` is no longer `old`, else at some time after wake(). May return early.
inline void sleep_while(Word& word, std::uint32_t old) noexcept {
#ifdef __EMSCRIPTEN__
  // Emscripten's std::atomic::wait is a loop of ever longer sleeps. emscripten_futex_wait also handles the main thread
  // of a page, which must not sleep.
  emscripten_futex_wait(&word, old, std::numeric_limits<double>::infinity());
#else
  word.wait(old, std::memory_order_acquire);
#endif
}

inline void wake(Word& word) noexcept {
#ifdef __EMSCRIPTEN__
  emscripten_futex_wake(&word, INT_MAX);
#else
  word.notify_all();
#endif
}

/// The time in microseconds, of a monotonic clock.
inline double microseconds() noexcept {
#ifdef __EMSCRIPTEN__
  return emscripten_get_now() * 1e3;
#else
  return std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now().time_since_epoch()).count();
#endif
}

/// Tells the processor that the loop only waits, where there is an instruction for it.
inline void relax() noexcept {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  asm volatile("yield");
#endif
}

}  // namespace conv2d::threads
