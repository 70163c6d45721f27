#pragma once

#include <atomic>
#include <cstdint>

#ifdef __EMSCRIPTEN__
#include <emscripten/threading.h>

#include <climits>
#include <limits>
#endif

/// Sleeping until a word changes.
namespace conv2d::threads {

using Word = std::atomic<std::uint32_t>;

/// Returns at once when `word` is no longer `old`, else at some time after wake(). May return early.
inline void sleep_while(Word& word, std::uint32_t old) noexcept {
#ifdef __EMSCRIPTEN__
  // Emscripten's std::atomic::wait is a loop of ever longer naps. This one also knows that the thread of a page may not
  // sleep at all.
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

/// Tells the core that a loop only waits, where there is a way to.
inline void relax() noexcept {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  asm volatile("yield");
#endif
}

}  // namespace conv2d::threads
