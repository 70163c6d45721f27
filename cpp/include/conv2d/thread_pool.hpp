#pragma once

#include <memory>

#include "conv2d/team.hpp"

namespace conv2d {

/// Threads that wait for the passes of one caller. For a moment after a pass they wait without sleeping, so that a
/// series of passes finds them awake. Running allocates nothing and throws nothing.
class ThreadPool {
 public:
  /// Starts threads - 1 threads; the caller is the first. When the system has no more of them, the pool is smaller.
  explicit ThreadPool(int threads);
  ThreadPool(const ThreadPool&) = delete;
  ThreadPool& operator=(const ThreadPool&) = delete;
  ~ThreadPool();

  /// Those that there are, the calling thread among them.
  [[nodiscard]] int threads() const noexcept;

  /// The team of these threads, good while the pool lives. It runs one pass at a time.
  [[nodiscard]] Team team() noexcept;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace conv2d
