#include "conv2d/thread_pool.hpp"

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <vector>

#include "compiler/compiler.hpp"
#include "conv2d/plan_options.hpp"
#include "dcheck/dcheck.hpp"
#include "threads/tickets.hpp"

#ifdef __EMSCRIPTEN__
#include <emscripten/emscripten.h>
#include <emscripten/threading.h>
#include <pthread.h>

#include <climits>
#include <limits>
#else
#include <chrono>
#ifdef _WIN32
#include <system_error>
#include <thread>
#else
#include <pthread.h>
#include <signal.h>
#endif
#endif

namespace conv2d {
namespace {

using Word = std::atomic<std::uint32_t>;

/// Returns at once when `word` is no longer `old`, else at some time after wake(). May return early.
void sleep_while(Word& word, std::uint32_t old) noexcept {
#ifdef __EMSCRIPTEN__
  // Emscripten's std::atomic::wait is a loop of ever longer sleeps. emscripten_futex_wait also handles the main thread
  // of a page, which must not sleep.
  emscripten_futex_wait(&word, old, std::numeric_limits<double>::infinity());
#else
  word.wait(old, std::memory_order_acquire);
#endif
}

void wake(Word& word) noexcept {
#ifdef __EMSCRIPTEN__
  emscripten_futex_wake(&word, INT_MAX);
#else
  word.notify_all();
#endif
}

/// The time in microseconds, of a monotonic clock.
double microseconds() noexcept {
#ifdef __EMSCRIPTEN__
  return emscripten_get_now() * 1e3;
#else
  return std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now().time_since_epoch()).count();
#endif
}

/// Tells the processor that the loop only waits, where there is an instruction for it.
void relax() noexcept {
#if defined(CONV2D_X86_64) && CONV2D_GNU_LANGUAGE
  __builtin_ia32_pause();
#elif defined(CONV2D_AARCH64) && CONV2D_GNU_LANGUAGE
  asm volatile("yield");
#endif
}

/// How long a thread spins before it sleeps, in microseconds. To sleep and be woken takes about as long.
constexpr double kSpinMicroseconds = 50;

/// Reads of the word between two reads of the clock. In WebAssembly one read of the clock takes as long as a hundred
/// reads of the word.
constexpr int kReads = 128;

/// Waits until `word` differs from `old`, and returns its value.
std::uint32_t await_change(Word& word, std::uint32_t old) noexcept {
  for (double now = 0, end = 0; now <= end;) {
    for (int read = 0; read < kReads; ++read) {
      if (const std::uint32_t value = word.load(std::memory_order_acquire); value != old) return value;
      relax();
    }
    // The clock is read only after the first reads of the word: a short wait does not need it.
    now = microseconds();
    if (end == 0) end = now + kSpinMicroseconds;
  }
  while (true) {
    if (const std::uint32_t now = word.load(std::memory_order_acquire); now != old) return now;
    sleep_while(word, old);
  }
}

#if defined(__EMSCRIPTEN__) || defined(_WIN32)

/// No process forks.
unsigned forks() noexcept { return 0; }

/// There are no signals.
class BlockedSignals {};

#else

std::atomic<unsigned> fork_count{0};

/// How many forks lead to this process, since the first call.
unsigned forks() noexcept {
  [[maybe_unused]] static const int registered =
      pthread_atfork(nullptr, nullptr, [] { fork_count.fetch_add(1, std::memory_order_relaxed); });
  return fork_count.load(std::memory_order_relaxed);
}

/// During its lifetime, threads start with all signals blocked but those that a thread causes itself, which would end
/// the process without its handler, and that of profilers.
class BlockedSignals {
 public:
  BlockedSignals() noexcept {
    sigset_t most;
    sigfillset(&most);
    for (const int own : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGSYS, SIGPROF}) sigdelset(&most, own);
    pthread_sigmask(SIG_BLOCK, &most, &before_);
  }
  BlockedSignals(const BlockedSignals&) = delete;
  BlockedSignals& operator=(const BlockedSignals&) = delete;
  ~BlockedSignals() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }

 private:
  sigset_t before_{};
};

#endif

#ifdef _WIN32

using Thread = std::thread;

/// Starts a thread that calls `enter`. Returns whether there is one.
bool start(Thread& thread, void* (*enter)(void*), void* argument) noexcept try {
  thread = Thread(enter, argument);
  return true;
} catch (const std::exception&) {
  return false;
}

void join(Thread& thread) noexcept { thread.join(); }

#else

using Thread = pthread_t;

/// Starts a thread that calls `enter`. Returns whether there is one. std::thread would throw where there is none; the
/// module is built without exceptions.
bool start(Thread& thread, void* (*enter)(void*), void* argument) noexcept {
  return pthread_create(&thread, nullptr, enter, argument) == 0;
}

void join(Thread& thread) noexcept { pthread_join(thread, nullptr); }

#endif

}  // namespace

struct ThreadPool::State {
  struct Worker {
    State* pool;
    Thread thread;
  };

  // The caller and the workers write to different cache lines.
  alignas(64) Word generation{0};  ///< incremented for each new run
  void (*task)(void*, int) noexcept = nullptr;
  void* argument = nullptr;
  std::atomic<bool> ends{false};  ///< the workers end
  /// 1 while the workers work for a caller. A word: GCC 12 exchanges a bool of riscv64 by a library.
  Word is_taken{0};
  alignas(64) threads::Tickets tickets;
  alignas(64) Word unfinished{0};  ///< tasks of this run
  const unsigned forks_before = forks();
  std::vector<Worker> workers;

  /// Whether this is the process that started the workers. After a fork they do not exist.
  [[nodiscard]] bool has_workers() const noexcept { return forks() == forks_before; }

  void wake_workers() noexcept {
    generation.fetch_add(1, std::memory_order_release);
    wake(generation);
  }

  /// Runs all tasks, the first one on this thread. It also takes those that no worker has begun: a worker that the
  /// system does not run, since its processor is busy, does not hold up the run.
  void run(int count, void (*function)(void*, int) noexcept, void* with) noexcept {
    task = function;
    argument = with;
    unfinished.store(static_cast<std::uint32_t>(std::max(count, 1)), std::memory_order_relaxed);
    tickets.open(static_cast<std::uint32_t>(count), 1);
    if (count > 1) wake_workers();
    int done = 0;
    for (int i = 0; i >= 0; i = tickets.take(), ++done) function(with, i);
    const auto own = static_cast<std::uint32_t>(done);
    std::uint32_t left = unfinished.fetch_sub(own, std::memory_order_acq_rel) - own;
    while (left > 0) left = await_change(unfinished, left);
  }

  /// The loop of a worker. A task is read only after a ticket was taken: the caller waits for the task to finish before
  /// it writes another.
  void work() noexcept {
    for (std::uint32_t seen = 0;;) {
      seen = await_change(generation, seen);
      if (ends.load(std::memory_order_relaxed)) return;
      for (int i = tickets.take(); i >= 0; i = tickets.take()) {
        task(argument, i);
        if (unfinished.fetch_sub(1, std::memory_order_acq_rel) == 1) wake(unfinished);
      }
    }
  }
};

ThreadPool::ThreadPool(int threads) : state_(std::make_unique<State>()) {
  threads = std::clamp(threads, 1, kMaxThreads);
  // Workers hold addresses of list elements: the list must not be reallocated.
  state_->workers.reserve(static_cast<std::size_t>(threads - 1));
  const auto enter = [](void* given) -> void* {
    const auto& worker = *static_cast<const State::Worker*>(given);
    worker.pool->work();
    return nullptr;
  };
  [[maybe_unused]] const BlockedSignals blocked{};
  for (int i = 1; i < threads; ++i) {
    State::Worker& worker = state_->workers.emplace_back(State::Worker{state_.get(), {}});
    if (start(worker.thread, enter, &worker)) continue;
    state_->workers.pop_back();
    break;
  }
}

ThreadPool::~ThreadPool() {
  if (!state_->has_workers()) return;
  state_->ends.store(true, std::memory_order_relaxed);
  state_->wake_workers();
  for (State::Worker& worker : state_->workers) join(worker.thread);
}

int ThreadPool::threads() const noexcept { return static_cast<int>(state_->workers.size()) + 1; }

Team ThreadPool::team() noexcept {
  const auto run = [](void* context, int count, void (*task)(void*, int) noexcept, void* argument) noexcept {
    State& state = *static_cast<State*>(context);
    CONV2D_DCHECK(task && count >= 1 && count <= static_cast<int>(state.workers.size()) + 1);
    if (!state.has_workers() || state.is_taken.exchange(1, std::memory_order_acquire) != 0) {
      for (int i = 0; i < count; ++i) task(argument, i);
      return;
    }
    state.run(count, task, argument);
    state.is_taken.store(0, std::memory_order_release);
  };
  return {.threads = threads(), .run = run, .context = state_.get()};
}

}  // namespace conv2d
