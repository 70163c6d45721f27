#include "conv2d/thread_pool.hpp"

#include <pthread.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <vector>

#include "check/check.hpp"
#include "threads/futex.hpp"

namespace conv2d {
namespace {

/// Looks at a word before the thread goes to sleep: some 50 microseconds. To sleep and be woken takes about as long.
constexpr int kLooks = 4000;

/// Waits until `word` is no longer `old`, and returns what it is.
std::uint32_t await_change(threads::Word& word, std::uint32_t old) noexcept {
  for (int look = 0; look < kLooks; ++look) {
    if (const std::uint32_t now = word.load(std::memory_order_acquire); now != old) return now;
    threads::relax();
  }
  while (true) {
    if (const std::uint32_t now = word.load(std::memory_order_acquire); now != old) return now;
    threads::sleep_while(word, old);
  }
}

}  // namespace

struct ThreadPool::State {
  struct Worker {
    State* pool;
    int index;
    pthread_t thread;
  };

  // What the caller writes lies on another cache line than what the workers write.
  alignas(64) threads::Word turn{0};  ///< changes when there is something new to do
  int count = 0;
  void (*task)(void*, int) noexcept = nullptr;  ///< null: end
  void* argument = nullptr;
  alignas(64) threads::Word busy{0};  ///< workers that have not finished the turn
  std::vector<Worker> workers;

  void begin(int tasks, void (*function)(void*, int) noexcept, void* with) noexcept {
    count = tasks;
    task = function;
    argument = with;
    busy.store(static_cast<std::uint32_t>(workers.size()), std::memory_order_relaxed);
    turn.fetch_add(1, std::memory_order_release);
    threads::wake(turn);
  }

  void await_workers() noexcept {
    for (std::uint32_t left = busy.load(std::memory_order_acquire); left > 0;) left = await_change(busy, left);
  }

  /// Of worker `index`. Also those that have no part in a turn say that they have seen it: only then may the next one
  /// be written.
  void work(int index) noexcept {
    for (std::uint32_t seen = 0;;) {
      seen = await_change(turn, seen);
      if (!task) return;
      if (index < count) task(argument, index);
      if (busy.fetch_sub(1, std::memory_order_acq_rel) == 1) threads::wake(busy);
    }
  }
};

ThreadPool::ThreadPool(int threads) : state_(std::make_unique<State>()) {
  // Workers hold addresses of each other's neighbours: the list must not move.
  state_->workers.reserve(static_cast<std::size_t>(std::max(0, threads - 1)));
  const auto enter = [](void* given) -> void* {
    const auto& worker = *static_cast<const State::Worker*>(given);
    worker.pool->work(worker.index);
    return nullptr;
  };
  for (int i = 1; i < threads; ++i) {
    State::Worker& worker = state_->workers.emplace_back(State::Worker{state_.get(), i, {}});
    // std::thread would say by an exception that there is no more; the module is built without them.
    if (pthread_create(&worker.thread, nullptr, enter, &worker) == 0) continue;
    state_->workers.pop_back();
    break;
  }
}

ThreadPool::~ThreadPool() {
  state_->begin(0, nullptr, nullptr);
  for (const State::Worker& worker : state_->workers) pthread_join(worker.thread, nullptr);
}

int ThreadPool::threads() const noexcept { return static_cast<int>(state_->workers.size()) + 1; }

Team ThreadPool::team() noexcept {
  const auto run = [](void* context, int count, void (*task)(void*, int) noexcept, void* argument) noexcept {
    State& state = *static_cast<State*>(context);
    CONV2D_CHECK(task && count >= 1 && count <= static_cast<int>(state.workers.size()) + 1);
    state.begin(count, task, argument);
    task(argument, 0);
    state.await_workers();
  };
  return {.threads = threads(), .run = run, .context = state_.get()};
}

}  // namespace conv2d
